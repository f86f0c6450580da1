import { emptySettingMessage, type ShownSetting } from "@busbar/contract/system/system-config.ts";
import { Checkbox, Input, TextInput, Textarea } from "@mantine/core";
import { Select } from "#ui/select.tsx";
import { alertsOf, factsOf, saidText } from "./setting-text.ts";

export interface SettingFieldProps {
  name: string;
  setting: ShownSetting;
  /** As people write it. */
  typed: string;
  /** As it would be saved. */
  wire: string;
  onChange: (text: string) => void;
}

export function SettingField({ name, setting, typed, wire, onChange }: SettingFieldProps) {
  const { type, description, isSecret, value } = setting;
  const { title, unit, defaultText } = factsOf(name);
  const alerts = unit === "alerts" ? alertsOf(typed) : undefined;
  const isOther = type === "list" && (unit === undefined || unit === "alerts");
  const said = (text: string) => (isOther ? "another list" : saidText(unit, text));
  const isSetByPeople = !setting.isDefault && defaultText !== value;
  const facts = [
    ...(isSecret ? ["secret, shown masked"] : []),
    // Of alerts the line below the settings says which.
    ...(wire === value || alerts ? [] : [`changed from ${said(value)}`]),
    ...(isSetByPeople && defaultText !== undefined && !isSecret && !isOther ? [`default: ${said(defaultText)}`] : []),
  ];
  const shared = {
    label: (
      <>
        {title}
        {title !== name && (
          <>
            {" "}
            <span className="setting-key mono">{name}</span>
          </>
        )}
      </>
    ),
    description: (
      <>
        {isSetByPeople && <span className="status-badge status-info">changed from default</span>}{" "}
        <span>{facts.length > 0 ? `${description} (${facts.join(", ")})` : description}</span>
      </>
    ),
    error: wire.trim() === "" ? emptySettingMessage : undefined,
  };
  if (type === "flag")
    return <Select {...shared} data={["true", "false"]} value={typed} allowDeselect={false} onChange={(next) => onChange(next ?? typed)} />;
  if (alerts)
    return (
      <Input.Wrapper {...shared} className="setting-list" labelElement="div">
        <fieldset className="setting-alerts" aria-label={title}>
          {alerts.map(({ name: alert, display_name, notes, value: isOn }) => (
            <Checkbox
              key={alert}
              label={display_name}
              description={notes}
              checked={isOn}
              onChange={() => onChange(JSON.stringify(alerts.map((each) => (each.name === alert ? { ...each, value: !isOn } : each))))}
            />
          ))}
        </fieldset>
      </Input.Wrapper>
    );
  if (type === "list")
    return (
      <Textarea
        {...shared}
        className={unit === "addresses" ? undefined : "setting-list"}
        placeholder={unit === "addresses" ? "none; one address a line" : undefined}
        autosize
        minRows={1}
        maxRows={12}
        value={typed}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      inputMode={type === "number" ? "decimal" : "text"}
      autoComplete="off"
      leftSection={unit === "cents" ? "$" : undefined}
      rightSection={unit === undefined || unit === "cents" ? undefined : <span className="setting-unit">{unitSign[unit] ?? unit}</span>}
      rightSectionWidth={64}
      value={typed}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const unitSign: Record<string, string> = { share: "%", percent: "%" };
