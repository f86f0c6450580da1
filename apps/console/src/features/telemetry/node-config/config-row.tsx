import { ActionIcon, TextInput } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import type { ConfigValues } from "@busbar/contract/telemetry/config-catalogue.ts";
import { canonicalConfigValue, configProblem, configRule, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { useId, useRef, useState } from "react";
import { CopyButton } from "#ui/copy-button.tsx";
import { choicesOf } from "#ui/select-field.tsx";
import { Select } from "#ui/select.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { aboutRow, shownValue } from "./config-rows.ts";
import type { ConfigRowData } from "./config-rows.ts";

export interface ConfigRowProps {
  row: ConfigRowData;
  values: ConfigValues;
  /** Something is on its way to the node: nothing else is sent. */
  isBusy: boolean;
  isWorking: boolean;
  isChanged: boolean;
  onSave: (key: string, newValue: string, oldValue: string) => void;
}

/** CFG-02: name, description, current value, new value, save icon. */
export function ConfigRow({ row, values, isBusy, isWorking, isChanged, onSave }: ConfigRowProps) {
  const { key, value, parameter, datatype } = row;
  const rule = configRule(key, datatype);
  const [draft, setDraft] = useState<string | undefined>();
  const [knownValue, setKnownValue] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // A value that the node has since confirmed or told is no draft any more.
  if (knownValue !== value) {
    setKnownValue(value);
    if (draft !== undefined && value !== undefined && isSameConfigValue(key, draft, value, datatype)) setDraft(undefined);
  }

  const text = draft ?? value ?? "";
  const isEdited = draft !== undefined && (value === undefined || !isSameConfigValue(key, draft, value, datatype));
  const problem = isEdited ? configProblem(key, text, values, datatype) : undefined;
  const canSave = isEdited && problem === undefined && !isBusy;
  const save = () => {
    // A value that the node did not report is sent as an empty one: the node writes only where that holds.
    if (canSave) onSave(key, canonicalConfigValue(key, text, datatype) ?? text, value ?? "");
  };
  const fallback = parameter?.defaultValue(values);
  const field = {
    id: `${id}-new`,
    "aria-label": `New value of ${key}`,
    "aria-describedby": `${id}-about`,
    error: problem === undefined ? undefined : `${key} ${problem}`,
    size: "xs" as const,
    ref: input,
    // The keyboard's focus must not fall out of the dialog while a change is on its way.
    readOnly: isWorking,
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Enter" && !event.defaultPrevented) save();
    },
  };

  return (
    <tr className={isChanged ? "config-changed" : undefined} data-edited={isEdited || undefined}>
      <th scope="row" className="mono">
        {key} <CopyButton text={key} label={`Copy ${key}`} />
      </th>
      <td id={`${id}-about`} className="config-about">
        {aboutRow(row)}
        {fallback !== undefined && <span className="dim"> (default {fallback || "empty"})</span>}
      </td>
      <td className="mono config-current" data-label="Current value">
        {value === undefined ? <span className="dim">not reported by the node</span> : shownValue(value)}
        {isChanged && <span className="config-mark">changed</span>}
      </td>
      <td className="config-new">
        {rule?.options ? (
          <Select
            {...field}
            data={choicesOf(rule.options)}
            value={text}
            allowDeselect={false}
            onChange={(choice) => setDraft(choice ?? "")}
          />
        ) : (
          <TextInput
            {...field}
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
        )}
      </td>
      <td className="config-save">
        <UnsavedEdits when={isEdited} />
        <ActionIcon
          variant={canSave ? "filled" : "default"}
          aria-label={`Save ${key}`}
          title={`Save ${key}`}
          disabled={!canSave}
          loading={isWorking}
          onClick={() => {
            // The button is disabled while it works: the focus would be lost with it.
            input.current?.focus();
            save();
          }}
        >
          <IconDeviceFloppy size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  );
}
