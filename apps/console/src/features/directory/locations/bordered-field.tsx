import { TextInput } from "@mantine/core";
import type { Control, FieldPath } from "react-hook-form";
import { useFormField } from "#ui/use-form-field.ts";
import type { LocationValues } from "./location-values.ts";

export interface BorderedFieldProps {
  control: Control<LocationValues>;
  name: FieldPath<LocationValues>;
  label: string;
  placeholder: string;
}

/** CUS-15: what is wrong has a red border; the section says so in words once. */
export function BorderedField({ control, name, label, placeholder }: BorderedFieldProps) {
  const { field, fieldState } = useFormField({ control, name });
  return (
    <TextInput
      {...field}
      value={field.value as string}
      aria-label={label}
      aria-required
      placeholder={placeholder}
      error={fieldState.error !== undefined}
    />
  );
}
