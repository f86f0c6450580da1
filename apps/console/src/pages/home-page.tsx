import { Anchor } from "@mantine/core";
import { PageFrame } from "./page-frame.tsx";

/** NAV-07 */
export function HomePage() {
  return (
    <PageFrame title="Home">
      <h1 className="page-title">Welcome</h1>
      <p>
        Please click <Anchor href="#/node-dashboard">Real-time</Anchor> in the menu for the live dashboard.
      </p>
    </PageFrame>
  );
}
