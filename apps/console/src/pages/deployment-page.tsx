import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useSession } from "#features/access/session/current-session.ts";
import { RequestDeployed } from "#features/directory/nodes/request-deployed.tsx";
import { SetNameplateValid } from "#features/directory/nodes/set-nameplate-valid.tsx";
import { DeploymentSteps } from "#features/directory/node-tasks/deployment-steps.tsx";
import { asksForConfiguration, asksForCredentials, deployTaskId, nameplateTaskId } from "#features/directory/node-tasks/task-names.ts";
import { KeptWiring } from "#features/telemetry/metering/kept-wiring.tsx";
import { WiringPanel } from "#features/telemetry/metering/wiring-panel.tsx";
import type { LinkedDialog } from "./linked-dialog.ts";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";

export function DeploymentPage() {
  const { serialNumber = "" } = useParams({ strict: false });
  return <DeploymentOf key={serialNumber} serial={serialNumber} />;
}

function DeploymentOf({ serial }: { serial: string }) {
  const username = useSession()?.claims.username ?? "";
  const linked = useLinkedDialogs();
  const verb = (label: string, dialog: LinkedDialog) => (
    <Button variant="default" onClick={() => linked.open(dialog)}>
      {label}
    </Button>
  );
  return (
    <PageFrame title={`Deployment of ${serial}`}>
      <DeploymentSteps
        serial={serial}
        username={username}
        renderWiring={(kept) => (
          <>
            <WiringPanel serial={serial} />
            {kept && <KeptWiring wiring={kept} />}
          </>
        )}
        renderAct={({ taskTemplateId }) => {
          if (taskTemplateId === nameplateTaskId) return <SetNameplateValid serial={serial} />;
          return taskTemplateId === deployTaskId && <RequestDeployed serial={serial} />;
        }}
        renderVerbs={({ taskTemplateId }: NodeTask, { location }: NodeTasks) => (
          <>
            {!location && verb("Place at a location", { kind: "place-node", serial })}
            {asksForCredentials(taskTemplateId) && verb("Credentials", { kind: "credentials", serial })}
            {asksForConfiguration(taskTemplateId) && verb("Node Config", { kind: "node-config", serial })}
            {verb("Node Details", { kind: "node", serial })}
            {location && verb("Edit Location", { kind: "location", locationId: location.id })}
            <Button component="a" variant="default" href={`#/nodes/${serial}/tasks`}>
              All on one page
            </Button>
          </>
        )}
      />
      {linked.dialogs}
    </PageFrame>
  );
}
