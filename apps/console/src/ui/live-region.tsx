import { useAnnouncement } from "#lib/announcer.ts";

/** The page's one polite live region. */
export function LiveRegion() {
  return (
    <output className="visually-hidden" aria-live="polite">
      {useAnnouncement()}
    </output>
  );
}
