import { Anchor } from "@mantine/core";
import { PageFrame } from "./page-frame.tsx";

export function NotFoundPage() {
  return (
    <PageFrame title="Not found">
      <h1 className="page-title">This page does not exist</h1>
      <p>
        The address may be mistyped or from another version. <Anchor href="#/home">Go to Home</Anchor>
      </p>
    </PageFrame>
  );
}
