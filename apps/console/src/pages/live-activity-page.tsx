import { Anchor } from "@mantine/core";
import { UpcomingPage } from "./upcoming-page.tsx";

// NAV-08: the feeds that have no menu entry
const feeds = [
  { label: "All activities", path: "/activities/allactivities" },
  { label: "GP node events", path: "/activities/gpnodeevents" },
  { label: "GP node waveforms", path: "/activities/gpnodewaveforms" },
];

export function LiveActivityPage() {
  return (
    <>
      <UpcomingPage title="Live Activity" />
      <h2 className="section-title">Related feeds</h2>
      <ul>
        {feeds.map(({ label, path }) => (
          <li key={path}>
            <Anchor href={`#${path}`}>{label}</Anchor>
          </li>
        ))}
      </ul>
    </>
  );
}
