import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { Anchor } from "@mantine/core";
import { NeedsYou } from "#features/system/home-needs/needs-you.tsx";
import { useUpdates } from "#features/system/shell/updates-store.ts";
import { PageFrame } from "./page-frame.tsx";

/** NAV-07 */
export function HomePage() {
  const published = useUpdates()?.version ?? consoleVersion;
  return (
    <PageFrame title="Home">
      <h1 className="page-title">Welcome</h1>
      <p>
        Please click <Anchor href="#/node-dashboard">Real-time</Anchor> in the menu for the live dashboard.
      </p>
      <NeedsYou newVersion={published > consoleVersion ? published : undefined} />
    </PageFrame>
  );
}
