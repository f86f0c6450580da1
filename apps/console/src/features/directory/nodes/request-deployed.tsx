import { zodResolver } from "@hookform/resolvers/zod";
import { LocationForm } from "@busbar/contract/directory/locations.ts";
import { WiringReason, type Node } from "@busbar/contract/directory/nodes.ts";
import * as z from "zod/mini";
import { formatDateTime } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { wrapperOrder } from "./node-choices.ts";
import { useLocationOf, useNode, useRequestDeployed } from "./nodes.queries.ts";
import { TextField } from "#ui/text-field.tsx";
import { UnjudgedWiring } from "./unjudged-wiring.tsx";
import "./node-form.css";

/** What task B9 asks for, where the task is: the status Deployed from the next midnight on. */
export function RequestDeployed({ serial }: { serial: string }) {
  const asked = useNode(serial);
  const { data: node } = asked;
  if (!node) return <Loaded of={asked} loading={<LoadingForm label={`Loading node ${serial}`} fields={1} />} />;
  if (node.newDeploymentStatus === "Deployed") return <p>{outlookOf(node)}</p>;
  if (node.locationId === null) return <p>A node at no location cannot become Deployed.</p>;
  return <RequestAt node={node} locationId={node.locationId} />;
}

function RequestAt({ node, locationId }: { node: Node; locationId: number }) {
  const asked = useLocationOf(locationId);
  const { data: location } = asked;
  if (!location)
    return <Loaded of={asked} loading={<LoadingForm label={`Loading the location of node ${node.serialNumber}`} fields={1} />} />;
  return <RequestForm node={node} billingStartDate={location.billingStartDate} />;
}

function outlookOf({ currentDeploymentStatus: current, newDeploymentStatusUpdateTimestamp: at, timezone }: Node): string {
  const when = formatDateTime(at, timezone ?? "UTC");
  return current === "Deployed" ? `Deployed since ${when}.` : `${current} now. Becomes Deployed at ${when}.`;
}

const formFor = (isReasonRequired: boolean) =>
  z.object({
    billingStartDate: z
      .string()
      .check(
        z.refine(
          (text) => z.safeParse(LocationForm.shape.billingStartDate, orNone(text)).success,
          "Billing start date is a day, YYYY-MM-DD",
        ),
      ),
    wiringReason: WiringReason.check(
      z.refine((text) => !isReasonRequired || text.trim() !== "", "Say why the node becomes Deployed without a wiring verdict"),
    ),
  });
type Values = z.infer<ReturnType<typeof formFor>>;

const orNone = (text: string): string | null => text.trim() || null;

/** Of the place: when the status begins. */
function dayAfter(nowSeconds: number, timezone: string): string {
  const today = Date.parse(`${formatDateTime(nowSeconds, timezone).slice(0, "yyyy-mm-dd".length)}T00:00:00Z`);
  return new Date(today + 86_400_000).toISOString().slice(0, "yyyy-mm-dd".length);
}

interface RequestProps {
  node: Node;
  /** Of its location; null where it has none. */
  billingStartDate: string | null;
}

function RequestForm({ node, billingStartDate }: RequestProps) {
  const requestDeployed = useRequestDeployed(node.serialNumber);
  const timezone = node.timezone ?? "UTC";
  // A replaced node starts no new billing, and a secondary one none at all.
  const startsBilling = billingStartDate === null && node.slot === 1 && node.deploymentTaskType !== "RMA";
  const form = useSaveForm<Values>({
    resolver: zodResolver(formFor(node.lacksWiringVerdict)),
    defaultValues: { billingStartDate: startsBilling ? dayAfter(serverClock.nowSeconds(), timezone) : "", wiringReason: "" },
    isQuietAtFirst: true,
  });
  const save = form.saving(async (values) => {
    const start = startsBilling ? orNone(values.billingStartDate) : null;
    await requestDeployed({
      ...(start === null ? {} : { billingStartDate: start }),
      ...(node.lacksWiringVerdict ? { wiringReason: values.wiringReason.trim() } : {}),
      revision: node.revision,
    });
    form.reset();
    // From now on the node says so itself.
    return undefined;
  });
  return (
    <SaveForm form={form} onSubmit={save} saveLabel="Request Deployed" label={`Status of node ${node.serialNumber}`}>
      <p>
        {node.currentDeploymentStatus} now. Becomes Deployed at the next midnight in {timezone}.
        {billingStartDate !== null && ` Billing starts ${billingStartDate}.`}
      </p>
      {startsBilling && (
        <TextField
          control={form.control}
          name="billingStartDate"
          label="Billing Start Date"
          placeholder="YYYY-MM-DD"
          inputWrapperOrder={wrapperOrder}
          description="Of the location: the first day that is billed, or that of the contract. Empty: none is set"
          isTrimmed
        />
      )}
      {node.lacksWiringVerdict && <UnjudgedWiring control={form.control} name="wiringReason" node={node} />}
    </SaveForm>
  );
}
