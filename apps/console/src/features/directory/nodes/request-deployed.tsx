import { zodResolver } from "@hookform/resolvers/zod";
import { WiringReason } from "@busbar/contract/directory/nodes.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import * as z from "zod/mini";
import { failureMessage } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { useNode, useSaveNode } from "./nodes.queries.ts";
import { UnjudgedWiring } from "./unjudged-wiring.tsx";
import "./node-form.css";

/** What task B9 asks for, where the task is: the status Deployed from the next midnight on. */
export function RequestDeployed({ serial }: { serial: string }) {
  const { data: node, error, refetch } = useNode(serial);
  if (!node && error) return <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />;
  if (!node) return <LoadingForm label={`Loading node ${serial}`} fields={1} />;
  if (node.newDeploymentStatus === "Deployed") return <p>{outlookOf(node)}</p>;
  if (!node.isAssigned) return <p>A node at no location cannot become Deployed.</p>;
  return <RequestForm node={node} />;
}

function outlookOf({ currentDeploymentStatus: current, newDeploymentStatusUpdateTimestamp: at, timezone }: Node): string {
  const when = formatDateTime(at, timezone ?? "UTC");
  return current === "Deployed" ? `Deployed since ${when}.` : `${current} now. Becomes Deployed at ${when}.`;
}

const formFor = (isReasonRequired: boolean) =>
  z.object({
    wiringReason: WiringReason.check(
      z.refine((text) => !isReasonRequired || text.trim() !== "", "Say why the node becomes Deployed without a wiring verdict"),
    ),
  });
type Values = z.infer<ReturnType<typeof formFor>>;

function RequestForm({ node }: { node: Node }) {
  const saveNode = useSaveNode();
  const timezone = node.timezone ?? "UTC";
  const form = useSaveForm<Values>({
    resolver: zodResolver(formFor(node.lacksWiringVerdict)),
    defaultValues: { wiringReason: "" },
    isQuietAtFirst: true,
  });
  const save = form.saving(async ({ wiringReason }) => {
    await saveNode({
      id: node.id,
      patch: {
        newDeploymentStatus: "Deployed",
        ...(node.lacksWiringVerdict ? { wiringReason: wiringReason.trim() } : {}),
        revision: node.revision,
      },
    });
    form.reset();
    // From now on the node says so itself.
    return undefined;
  });
  return (
    <SaveForm form={form} onSubmit={save} saveLabel="Request Deployed" label={`Status of node ${node.serialNumber}`}>
      <p>
        {node.currentDeploymentStatus} now. Becomes Deployed at the next midnight in {timezone}.
      </p>
      {node.lacksWiringVerdict && <UnjudgedWiring control={form.control} name="wiringReason" node={node} />}
    </SaveForm>
  );
}
