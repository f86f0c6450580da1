import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { Button } from "@mantine/core";
import { useUpdates } from "./updates-store.ts";

/** ENV-08 */
export function UpdateBanner() {
  const updates = useUpdates();
  if (!updates || updates.version <= consoleVersion) return null;
  return (
    <section className="update-banner no-print" aria-label="Update">
      <div>
        {`You are on v${consoleVersion} of Admin UI. The latest version is v${updates.version}.`}
        {updates.releaseNotes.length > 0 && (
          <ul>
            {updates.releaseNotes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      <Button onClick={() => location.reload()}>Update Now</Button>
    </section>
  );
}
