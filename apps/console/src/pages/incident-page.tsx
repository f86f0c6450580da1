import { useParams } from "@tanstack/react-router";
import { useSession } from "#features/access/session/current-session.ts";
import { IncidentScreen } from "#features/alarms/incidents/incident-screen.tsx";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";

export function IncidentPage() {
  const { incidentId = "" } = useParams({ strict: false }) as { incidentId?: string };
  return (
    <PageFrame title="Incident">
      <PageOfIncident key={incidentId} id={incidentId} />
    </PageFrame>
  );
}

function PageOfIncident({ id }: { id: string }) {
  const self = useSession()?.claims.username ?? "";
  const linked = useLinkedDialogs();
  return (
    <>
      <IncidentScreen id={id} self={self} onSwap={(serial) => linked.open({ kind: "swap-node", serial })} />
      {linked.dialogs}
    </>
  );
}
