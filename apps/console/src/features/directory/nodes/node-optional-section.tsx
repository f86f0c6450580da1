import { TextInput } from "@mantine/core";
import type { Control } from "react-hook-form";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { MultiLineField, TextField } from "#ui/text-field.tsx";
import { nodeChoices, wrapperOrder } from "./node-choices.ts";
import type { NodeFormValues } from "./node-form-values.ts";
import type { SectionProps } from "./node-required-section.tsx";

type Flag = { [Name in keyof NodeFormValues]: NodeFormValues[Name] extends boolean ? Name : never }[keyof NodeFormValues];

const notificationFlags: [Flag, string][] = [
  ["notifyOnConnect", "Notify On Connect"],
  ["notifyOnCurrentAboveNoise", "Notify On Current Above Noise"],
  ["disableMonitoring", "Disable Monitoring"],
  ["monitorDataPointAlerts", "Monitor Data Point Alerts"],
  ["monitorDailyProgress", "Monitor Daily Progress"],
  ["monitorMissingData", "Monitor Missing Data"],
  ["pauseNotifications", "Pause Notifications (Analytics)"],
  ["pauseConnectivityNotifications", "Pause Connectivity Notifications"],
];
const scanFlags: [Flag, string][] = [
  ["eventsReportScan", "Events Report Scan"],
  ["trendingReportScan", "Trending Report Scan"],
  ["voltageHatReportScan", "Voltage Hat Report Scan"],
  ["currentHatReportScan", "Current Hat Report Scan"],
];
const channelFlags: [Flag, string][] = (["Va", "Vb", "Vc", "Ia", "Ib", "Ic", "Pa", "Pb", "Pc"] as const).map((channel) => [
  `active${channel}`,
  channel,
]);

export function OptionalSection({ control, node }: SectionProps) {
  return (
    <fieldset className="form-section">
      <legend>Optional Fields</legend>
      <div className="form-grid">
        <HardwareFields control={control} node={node} />
      </div>
      <Flags
        control={control}
        title="Installation"
        flags={[
          ["poeEnabled", "PoE Enabled"],
          ["nameplateValid", "Nameplate Valid"],
          ["showRawPower", "Show Raw Power"],
        ]}
      />
      <Flags control={control} title="Active Channels" flags={channelFlags} />
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

function Flags({ control, title, flags }: { control: Control<NodeFormValues>; title: string; flags: [Flag, string][] }) {
  return (
    <>
      <h3 className="form-group">{title}</h3>
      <div className="form-flags">
        {flags.map(([name, label]) => (
          <CheckboxField key={name} control={control} name={name} label={label} />
        ))}
      </div>
    </>
  );
}
