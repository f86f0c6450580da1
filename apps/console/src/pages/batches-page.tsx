import { BatchList } from "#features/telemetry/config-batches/batch-list.tsx";
import { PageFrame } from "./page-frame.tsx";

export function BatchesPage() {
  return (
    <PageFrame title="Batches">
      <BatchList />
    </PageFrame>
  );
}
