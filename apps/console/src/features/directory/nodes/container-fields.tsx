import { TextInput } from "@mantine/core";
import type { Control } from "react-hook-form";
import { errorOf } from "#ui/field-error.ts";
import { Select } from "#ui/select.tsx";
import { useFormField } from "#ui/use-form-field.ts";
import { wrapperOrder } from "./node-choices.ts";
import type { NodeFormValues } from "./node-form-values.ts";
import { useNodeContainers } from "./nodes.queries.ts";

export interface ContainerFieldsProps {
  control: Control<NodeFormValues>;
  /** The container that the node has. */
  stored: string;
}

/** NFM-05: chosen or typed; what is typed wins. */
export function ContainerFields({ control, stored }: ContainerFieldsProps) {
  const { data: containers = [] } = useNodeContainers();
  const chosen = useFormField({ control, name: "container" });
  const typed = useFormField({ control, name: "newContainer" });
  const isListRequired = typed.field.value.trim() === "";
  const choices = [...new Set([...containers, stored, chosen.field.value])].filter(Boolean).toSorted();
  return (
    <>
      <Select
        label="Container"
        placeholder="Choose one"
        searchable
        limit={200}
        data={choices}
        {...chosen.field}
        value={chosen.field.value || null}
        withAsterisk={isListRequired}
        aria-required={isListRequired}
        error={errorOf(chosen.fieldState, chosen.formState)}
        onChange={(container) => chosen.field.onChange(container ?? "")}
      />
      <TextInput
        label="New Container"
        inputWrapperOrder={wrapperOrder}
        description="Used instead of the list when it is not empty"
        autoComplete="off"
        {...typed.field}
        error={errorOf(typed.fieldState, typed.formState)}
        onChange={(event) => typed.field.onChange(event.currentTarget.value)}
      />
    </>
  );
}
