import { Anchor } from "@mantine/core";
import { PageFrame } from "./page-frame.tsx";

export interface UpcomingPageProps {
  title: string;
  /** What the screen is about: a serial number, a file. */
  subject?: string;
}

/** A screen of the console that this version does not have yet; its address already works. */
export function UpcomingPage({ title, subject }: UpcomingPageProps) {
  return (
    <PageFrame title={title}>
      <h1 className="page-title">
        {title}
        {subject && <span className="mono"> {subject}</span>}
      </h1>
      <p>This screen is not part of this version of the console.</p>
      <p>
        What the nodes report now is on the <Anchor href="#/node-dashboard">live dashboard</Anchor>.
      </p>
    </PageFrame>
  );
}
