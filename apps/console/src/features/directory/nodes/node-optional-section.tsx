import { nodeFlagNames, type NodeFlag } from "@busbar/contract/directory/node-fields.ts";
import { TextInput } from "@mantine/core";
import type { Control } from "react-hook-form";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { MultiLineField, TextField } from "#ui/text-field.tsx";
import { nodeChoices, wrapperOrder } from "./node-choices.ts";
import type { NodeFormValues } from "./node-form-values.ts";
import type { SectionProps } from "./node-required-section.tsx";

const notificationFlags: NodeFlag[] = [
  "notifyOnConnect",
  "notifyOnCurrentAboveNoise",
  "disableMonitoring",
  "monitorDataPointAlerts",
  "monitorDailyProgress",
  "monitorMissingData",
  "pauseNotifications",
  "pauseConnectivityNotifications",
];
const scanFlags: NodeFlag[] = ["eventsReportScan", "trendingReportScan", "voltageHatReportScan", "currentHatReportScan"];
const channels = ["Va", "Vb", "Vc", "Ia", "Ib", "Ic", "Pa", "Pb", "Pc"] as const;

export function OptionalSection({ control, node }: SectionProps) {
  return (
    <fieldset className="form-section">
      <legend>Optional Fields</legend>
      <div className="form-grid">
        <HardwareFields control={control} node={node} />
      </div>
      <Flags control={control} title="Installation" flags={["poeEnabled", "nameplateValid", "showRawPower"]} />
      <Flags control={control} title="Active Channels" flags={channels.map((channel) => `active${channel}` as const)} />
      <Flags control={control} title="Notifications and Monitoring" flags={notificationFlags} />
      <div className="form-grid">
        <TextField control={control} name="pauseConnectivityNotificationsReason" label="Pause Connectivity Notifications Reason" />
        <TextField
          control={control}
          name="pauseConnectivityNotificationsUrl"
          label="Pause Connectivity Notifications URL"
          inputWrapperOrder={wrapperOrder}
          description="Link of the ticket"
          inputMode="url"
          isTrimmed
        />
      </div>
      <Flags control={control} title="Report Scans" flags={scanFlags} />
      <h3 className="form-group">Deployment Issue</h3>
      <CheckboxField
        control={control}
        name="deploymentIssue"
        label="Deployment Issue"
        description="A deployment issue prevents priority alerts going automatically to the customer."
      />
      <MultiLineField control={control} name="deploymentIssueDetails" label="Deployment Issue Details" autosize minRows={2} mt="xs" />
    </fieldset>
  );
}

/** NFM-02: the addresses are the node's own report. */
function HardwareFields({ control, node }: SectionProps) {
  const notYet = "Filled once the node connects to the cloud";
  return (
    <>
      <SelectField
        control={control}
        name="nodeHardwareVersion"
        label="Node Hardware Version"
        data={nodeChoices("nodeHardwareVersion", node?.nodeHardwareVersion)}
        {...optional}
      />
      <SelectField
        control={control}
        name="viModuleHardwareVersion"
        label="VI Module Hardware Version"
        data={nodeChoices("viModuleHardwareVersion", node?.viModuleHardwareVersion)}
        {...optional}
      />
      <SelectField
        control={control}
        name="deploymentTaskType"
        label="Deployment Task Version"
        data={nodeChoices("deploymentTaskType", node?.deploymentTaskType)}
        {...optional}
      />
      <TextInput label="MAC Address" readOnly value={node?.macAddress ?? ""} description={notYet} inputWrapperOrder={wrapperOrder} />
      <TextInput label="IP Address" readOnly value={node?.ipAddress ?? ""} description={notYet} inputWrapperOrder={wrapperOrder} />
    </>
  );
}

const optional = {
  placeholder: "None",
  clearable: true,
  clearButtonProps: { "aria-label": "Choose none" },
};

function Flags({ control, title, flags }: { control: Control<NodeFormValues>; title: string; flags: readonly NodeFlag[] }) {
  return (
    <>
      <h3 className="form-group">{title}</h3>
      <div className="form-flags">
        {flags.map((name) => (
          <CheckboxField key={name} control={control} name={name} label={nodeFlagNames[name].replace("Active Channel ", "")} />
        ))}
      </div>
    </>
  );
}
