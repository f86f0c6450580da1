import { Anchor } from "@mantine/core";
import { LiveActivity } from "#features/system/feeds/live-activity.tsx";
import { PageFrame } from "./page-frame.tsx";

// NAV-08: the feeds that have no menu entry
const feeds = [
  { label: "All activities", path: "/activities/allactivities" },
  { label: "GP node events", path: "/activities/gpnodeevents" },
  { label: "GP node waveforms", path: "/activities/gpnodewaveforms" },
];

export function LiveActivityPage() {
  return (
    <PageFrame title="Live Activity">
      <nav aria-label="Related feeds" className="no-print">
        {feeds.map(({ label, path }) => (
          <Anchor key={path} href={`#${path}`} size="sm" mr="md">
            {label}
          </Anchor>
        ))}
      </nav>
      <LiveActivity />
    </PageFrame>
  );
}
