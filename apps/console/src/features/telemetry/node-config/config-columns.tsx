import { ActionIcon, TextInput } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import { configRule } from "@busbar/contract/telemetry/node-config.ts";
import type { Column } from "#ui/column.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { choicesOf } from "#ui/select-field.tsx";
import { Select } from "#ui/select.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import type { ConfigDraft } from "./config-draft.tsx";
import { aboutRow, shownValue } from "./config-rows.ts";

/** CFG-02: name, description, current value, new value, save icon. */
export const configColumns: readonly Column<ConfigDraft>[] = [
  {
    label: "Name",
    text: ({ row }) => row.key,
    cell: ({ row: { key } }) => (
      <>
        {key} <CopyButton text={key} label={`Copy ${key}`} />
      </>
    ),
    className: "mono",
    isRowHead: true,
  },
  {
    label: "Description",
    text: ({ row }) => aboutRow(row),
    cell: ({ row, id, fallback }) => (
      <span id={`${id}-about`}>
        {aboutRow(row)}
        {fallback !== undefined && <span className="dim"> (default {fallback || "empty"})</span>}
      </span>
    ),
    className: "config-about",
  },
  {
    label: "Current value",
    text: ({ row }) => row.value ?? null,
    cell: ({ row: { value }, mark }) => (
      <>
        {value === undefined ? <span className="dim">not reported by the node</span> : shownValue(value)}
        {mark && <span className="config-mark">{mark}</span>}
      </>
    ),
    className: "mono config-current",
  },
  { label: "New value", text: ({ text }) => text, cell: (draft) => <NewValue draft={draft} />, className: "config-new" },
  { label: "Save", text: () => "", cell: (draft) => <SaveButton draft={draft} />, className: "config-save", isHeadHidden: true },
];

function NewValue({ draft: { row, id, text, problem, isWorking, onText, onSave } }: { draft: ConfigDraft }) {
  const { key, datatype } = row;
  const rule = configRule(key, datatype);
  const field = {
    id,
    "aria-label": `New value of ${key}`,
    "aria-describedby": `${id}-about`,
    error: problem === undefined ? undefined : `${key} ${problem}`,
    size: "xs" as const,
    // The keyboard's focus must not fall out of the dialog while a change is on its way.
    readOnly: isWorking,
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Enter" && !event.defaultPrevented) onSave();
    },
  };
  return rule?.options ? (
    <Select {...field} data={choicesOf(rule.options)} value={text} allowDeselect={false} onChange={(choice) => onText(choice ?? "")} />
  ) : (
    <TextInput {...field} value={text} spellCheck={false} autoComplete="off" onChange={(event) => onText(event.currentTarget.value)} />
  );
}

function SaveButton({ draft: { row, id, isEdited, canSave, isWorking, onSave } }: { draft: ConfigDraft }) {
  return (
    <>
      <UnsavedEdits when={isEdited} />
      <ActionIcon
        variant={canSave ? "filled" : "default"}
        aria-label={`Save ${row.key}`}
        title={`Save ${row.key}`}
        disabled={!canSave}
        loading={isWorking}
        onClick={() => {
          // The button is disabled while it works: the focus would be lost with it.
          document.getElementById(id)?.focus();
          onSave();
        }}
      >
        <IconDeviceFloppy size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
