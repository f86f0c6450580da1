import type { StaffRole } from "@busbar/contract/values/option-lists.ts";
import { Anchor } from "@mantine/core";
import { PageFrame } from "./page-frame.tsx";

export function NotPermittedPage({ role }: { role: StaffRole }) {
  return (
    <PageFrame title="Not permitted">
      <h1 className="page-title">You are not permitted to open this page</h1>
      <p>
        It needs the role <b>{role}</b>. Ask a system administrator, or <Anchor href="#/home">go to Home</Anchor>.
      </p>
    </PageFrame>
  );
}
