import { configCatalogue, findConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import { configProblem, configRule } from "@busbar/contract/telemetry/node-config.ts";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { NativeSelect } from "#ui/native-select.tsx";
import { Autocomplete } from "#ui/select.tsx";

export interface WantedValue {
  id: number;
  key: string;
  value: string;
}

/** Why it cannot be; undefined where it can, as far as anyone but the node knows. */
export function problemOf({ key, value }: WantedValue): string | undefined {
  return findConfigParameter(key) && configProblem(key, value, new Map());
}

const keys = configCatalogue.map(({ key }) => key);

export interface ValueRowProps {
  wanted: WantedValue;
  /** What is wrong is said once someone has tried. */
  hasTried: boolean;
  onChange: (wanted: WantedValue) => void;
  onRemove: (() => void) | undefined;
}

/** A parameter and what it is to become. */
export function ValueRow({ wanted, hasTried, onChange, onRemove }: ValueRowProps) {
  const { key, value } = wanted;
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const parameter = findConfigParameter(key);
  const rule = configRule(key);
  const problem = value === "" && !hasTried ? undefined : problemOf(wanted);
  const about = parameter
    ? `${parameter.description}: ${rule?.allowed}`
    : key === ""
      ? ""
      : "In no catalogue: each node decides what it allows";
  const valueProps = {
    label: "New value",
    withAsterisk: true,
    "aria-required": true,
    ref: field,
    error: problem === undefined ? undefined : `${key} ${problem}`,
    w: 220,
  };
  return (
    <fieldset className="batch-value">
      <legend className="visually-hidden">{key || "A parameter"}</legend>
      <Autocomplete
        label="Parameter"
        withAsterisk
        aria-required
        placeholder="Search, such as v_noise"
        data={keys}
        value={key}
        maxLength={64}
        limit={40}
        w={220}
        error={hasTried && key === "" ? "Choose a parameter" : undefined}
        renderOption={({ option }) => (
          <span>
            <span className="mono">{option.value}</span> <span className="dim">{findConfigParameter(option.value)?.description}</span>
          </span>
        )}
        comboboxProps={{ zIndex: 2000, width: 460, position: "bottom-start" }}
        onChange={(next) => onChange({ ...wanted, key: next, value: "" })}
        onOptionSubmit={() => requestAnimationFrame(() => field.current?.focus())}
      />
      {rule?.options ? (
        <NativeSelect
          {...valueProps}
          data={["", ...rule.options]}
          value={value}
          onChange={({ currentTarget }) => onChange({ ...wanted, value: currentTarget.value })}
        />
      ) : (
        <TextInput
          {...valueProps}
          value={value}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ ...wanted, value: currentTarget.value })}
        />
      )}
      {onRemove && (
        <ActionIcon variant="subtle" size={36} aria-label={`Remove ${key || "the parameter"}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      <p className="dim batch-about">{about}</p>
    </fieldset>
  );
}

export function AddValueButton({ onAdd }: { onAdd: () => void }) {
  return (
    <Button variant="default" onClick={onAdd}>
      Another parameter
    </Button>
  );
}
