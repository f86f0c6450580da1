import "./probe.ts";
import { ApiProvider } from "@busbar/console/api/api-provider.tsx";
import type { CallOptions, Client } from "@busbar/console/api/client.ts";
import { criteriaOf } from "@busbar/console/features/telemetry/node-dashboard/fleet-criteria.ts";
import { NodeDashboard } from "@busbar/console/features/telemetry/node-dashboard/node-dashboard.tsx";
import { useFleet } from "@busbar/console/features/telemetry/node-dashboard/use-fleet.ts";
import { useState } from "react";
import { nextText, readAnswer } from "./feed.ts";
import { render } from "./frame.tsx";

// The console's dashboard with its own poller and store; only the wire is replaced.
const call = (async (_endpoint: unknown, _input: unknown, { read }: CallOptions) => {
  const text = await nextText();
  return read?.(text)?.data ?? readAnswer(text);
}) as unknown as Client;
const ignore = () => undefined;

function Dashboard() {
  const fleet = useFleet();
  const [criteria, setCriteria] = useState(() => criteriaOf({}));
  return (
    <NodeDashboard
      fleet={fleet}
      criteria={criteria}
      onCriteria={setCriteria}
      onOpenHistory={ignore}
      configureHref={() => "#"}
      editManyHref={() => "#"}
      views={null}
    />
  );
}

render(
  <ApiProvider call={call}>
    <Dashboard />
  </ApiProvider>,
);
