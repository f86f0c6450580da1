import "./recorded-events.css";

const tabs = [
  { label: "Inbox", path: "/events" },
  { label: "GP Node Events", path: "/activities/gpnodeevents" },
  { label: "GP Node Waveforms", path: "/activities/gpnodewaveforms" },
] as const;

/** Above the lists of events: the inbox, and what was uploaded as the texts list it. */
export function EventTabs({ current }: { current: (typeof tabs)[number]["path"] }) {
  return (
    <nav className="event-tabs no-print" aria-label="Lists of events">
      {tabs.map(({ label, path }) => (
        <a key={path} href={`#${path}`} aria-current={path === current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
