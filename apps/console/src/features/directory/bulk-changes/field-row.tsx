import { bulkFieldLabels } from "@busbar/contract/directory/bulk-changes.ts";
import { ActionIcon, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { NativeSelect } from "#ui/native-select.tsx";
import { Autocomplete, Select } from "#ui/select.tsx";
import { useContainers } from "./bulk-changes.queries.ts";
import { readField, takesWiringReason, wiringReasonProblem, type BulkField, type WantedField } from "./bulk-fields.ts";

export interface FieldRowProps {
  fields: readonly BulkField[];
  /** What a field is here, and how one is searched. */
  label: string;
  placeholder: string;
  wanted: WantedField;
  /** Fields of other rows. */
  taken: ReadonlySet<string>;
  /** What is wrong is said once someone has tried. */
  hasTried: boolean;
  onChange: (wanted: WantedField) => void;
  onRemove: (() => void) | undefined;
}

const longestList = 300;

/** A field and what it is to become. */
export function FieldRow({ fields, label, placeholder, wanted, taken, hasTried, onChange, onRemove }: FieldRowProps) {
  const field = fields.find(({ name }) => name === wanted.name);
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const groups = [...new Set(fields.map(({ group }) => group))].map((group) => ({
    group,
    items: fields.filter((each) => each.group === group).map(({ name, label }) => ({ value: name, label, disabled: taken.has(name) })),
  }));
  return (
    <fieldset className="bulk-field">
      <legend className="visually-hidden">{field?.label ?? `A ${label.toLowerCase()}`}</legend>
      <Select
        label={label}
        placeholder={placeholder}
        searchable
        limit={longestList}
        data={groups}
        value={wanted.name || null}
        w={300}
        error={hasTried && !field ? "Choose one" : undefined}
        onChange={(name) => {
          onChange({ ...wanted, name: name ?? "", text: "", wiringReason: "" });
          requestAnimationFrame(() => input.current?.focus());
        }}
      />
      {field && <ValueInput key={field.name} field={field} wanted={wanted} hasTried={hasTried} inputRef={input} onChange={onChange} />}
      {onRemove && (
        <ActionIcon variant="subtle" size={36} aria-label={`Remove ${field?.label ?? `the ${label.toLowerCase()}`}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      {field?.help && <p className="dim bulk-help">{field.help}</p>}
      {takesWiringReason(wanted) && (
        <TextInput
          label={bulkFieldLabels["wiringReason"]}
          description="Nodes whose wiring was not found right become Deployed only with it, and keep it with their change"
          className="bulk-reason"
          autoComplete="off"
          value={wanted.wiringReason}
          error={wiringReasonProblem(wanted.wiringReason)}
          onChange={({ currentTarget }) => onChange({ ...wanted, wiringReason: currentTarget.value })}
        />
      )}
    </fieldset>
  );
}

interface ValueInputProps extends Pick<FieldRowProps, "wanted" | "hasTried" | "onChange"> {
  field: BulkField;
  inputRef: React.Ref<HTMLInputElement & HTMLSelectElement>;
}

function ValueInput({ field, wanted, hasTried, inputRef, onChange }: ValueInputProps) {
  const { choices, unit, name } = field;
  const { data: containers = [] } = useContainers(name === "container");
  const read = readField(field, wanted.text);
  const set = (text: string) => onChange({ ...wanted, text });
  const shared = {
    label: "New value",
    ref: inputRef,
    w: 260,
    error: "problem" in read && (hasTried || (wanted.text !== "" && !choices)) ? read.problem : undefined,
    value: wanted.text,
  };
  if (choices)
    return (
      <NativeSelect
        {...shared}
        data={[{ value: "", label: "Choose one" }, ...choices]}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  if (name === "container") return <Autocomplete {...shared} data={containers} limit={100} onChange={set} />;
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      {...(unit === undefined ? {} : { rightSection: <span className="dim">{unit}</span>, rightSectionPointerEvents: "none" })}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
