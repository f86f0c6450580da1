import { counted } from "@busbar/contract/values/counted.ts";
import { nodeThresholdNames, type NodeThreshold } from "@busbar/contract/directory/node-fields.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import { useWatch, type Control } from "react-hook-form";
import { formatDateTime } from "#lib/format-date.ts";
import { DateTimeField } from "#ui/date-time-field.tsx";
import { Notice } from "#ui/notice.tsx";
import { NumberField } from "#ui/number-field.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { ContainerFields } from "./container-fields.tsx";
import { nodeChoices, wrapperOrder } from "./node-choices.ts";
import { asksForWiringReason, type NodeFormValues } from "./node-form-values.ts";
import { UnjudgedWiring } from "./unjudged-wiring.tsx";

export interface SectionProps {
  control: Control<NodeFormValues>;
  node: Node | undefined;
}

const thresholds = Object.entries(nodeThresholdNames) as [NodeThreshold, string][];

function unitOf(name: NodeThreshold): string {
  if (name.endsWith("AveragingPeriod")) return "min";
  return name === "viMinimumVoltageThreshold" ? "V" : "%";
}

export interface RequiredSectionProps extends SectionProps {
  timezone: string;
}

export function RequiredSection({ control, node, timezone }: RequiredSectionProps) {
  return (
    <fieldset className="form-section">
      <legend>Required Fields</legend>
      <div className="form-grid">
        <TextField
          control={control}
          name="serialNumber"
          label="Serial Number"
          inputWrapperOrder={wrapperOrder}
          description="5 digits, the first not 0"
          inputMode="numeric"
          autoComplete="off"
          isTrimmed
          readOnly={node !== undefined}
          data-autofocus={node === undefined || undefined}
          isRequired
        />
        <SelectField control={control} name="type" label="Type" data={nodeChoices("type", node?.type)} isRequired />
        <NumberField
          control={control}
          name="dataPointInterval"
          label="Datapoint Interval"
          description="Seconds, at least 60"
          unit="s"
          inputWrapperOrder={wrapperOrder}
          isRequired
        />
        <ContainerFields control={control} stored={node?.container ?? ""} />
        <SelectField
          control={control}
          name="newDeploymentStatus"
          label="Deployment Status"
          data={nodeChoices("newDeploymentStatus", node?.newDeploymentStatus)}
          isRequired
        />
        <DateTimeField control={control} name="forcedTime" label={node ? "Force Status Change At" : "Status Since"} timezone={timezone} />
      </div>
      <StatusOutlook control={control} node={node} timezone={timezone} />
      <WiringReason control={control} node={node} />
      <h3 className="form-group">Thresholds</h3>
      <div className="form-grid">
        {thresholds.map(([name, label]) => (
          <NumberField key={name} control={control} name={name} label={label} isRequired unit={unitOf(name)} />
        ))}
      </div>
    </fieldset>
  );
}

/** What the chosen status means: when it begins, and what goes with it. */
function StatusOutlook({ control, node, timezone }: SectionProps & { timezone: string }) {
  const [status, forcedTime] = useWatch({ control, name: ["newDeploymentStatus", "forcedTime"] });
  if (!node) return null;
  const { currentDeploymentStatus: current, newDeploymentStatus: requested, openTaskCount, locationName, isAssigned } = node;
  const isForced = forcedTime.trim() !== "";
  const when =
    status === requested && !isForced
      ? `at ${formatDateTime(node.newDeploymentStatusUpdateTimestamp, timezone)}`
      : isForced
        ? "at the forced time"
        : `at the next midnight in ${timezone}`;
  return (
    <div aria-live="polite">
      <p>
        {status === current
          ? `${current} since ${formatDateTime(node.currentDeploymentStatusUpdateTimestamp, timezone)}.`
          : `${current} now. Becomes ${status} ${when}.`}
        {status === current && requested !== current && ` The change to ${requested} is cancelled.`}
      </p>
      {status === "Deployed" && current !== "Deployed" && openTaskCount > 0 && (
        <Notice kind="warning">{counted(openTaskCount, "deployment task is", "deployment tasks are")} not completed.</Notice>
      )}
      {status === "Pre-Deployment" && current === "Deployed" && (
        <Notice kind="warning">The node is commissioned again: check the billing dates of its location.</Notice>
      )}
      {status === "Unassigned" && current !== "Unassigned" && isAssigned && (
        <Notice kind="warning">The node leaves {locationName} when this becomes effective.</Notice>
      )}
    </div>
  );
}

/** Where the node becomes Deployed and no one has seen that it is wired right. */
function WiringReason({ control, node }: SectionProps) {
  const status = useWatch({ control, name: "newDeploymentStatus" });
  if (!node || !asksForWiringReason(node, status)) return null;
  return <UnjudgedWiring control={control} name="wiringReason" node={node} />;
}

export function NotAtLocationSection({ control, node }: SectionProps) {
  const isAssigned = node?.isAssigned ?? false;
  return (
    <fieldset className="form-section">
      <legend>Only For Nodes Not at a Location</legend>
      {isAssigned && <p className="dim">This node is at {node?.locationName}.</p>}
      <div className="form-grid">
        <TextField control={control} name="unassignedCustomer" label="Customer" readOnly={isAssigned} />
        <TextField control={control} name="unassignedFacility" label="Facility" readOnly={isAssigned} />
        <TextField control={control} name="unassignedLocation" label="Location" readOnly={isAssigned} />
      </div>
    </fieldset>
  );
}
