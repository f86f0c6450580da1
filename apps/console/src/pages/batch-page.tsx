import { useNavigate, useParams } from "@tanstack/react-router";
import { useSession } from "#features/access/session/current-session.ts";
import { BatchScreen } from "#features/telemetry/config-batches/batch-screen.tsx";
import { PageFrame } from "./page-frame.tsx";

export function BatchPage() {
  const { batchId = "" } = useParams({ strict: false }) as { batchId?: string };
  const self = useSession()?.claims.username ?? "";
  const navigate = useNavigate();
  return (
    <PageFrame title={`Batch ${batchId}`}>
      <BatchScreen key={batchId} id={batchId} self={self} onMade={(id) => void navigate({ to: `/batches/${id}` })} />
    </PageFrame>
  );
}
