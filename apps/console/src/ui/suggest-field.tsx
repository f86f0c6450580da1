import type { AutocompleteProps } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { errorOf } from "./field-error.ts";
import { Autocomplete } from "./select.tsx";
import type { FormFieldProps } from "./text-field.tsx";
import { useFormField } from "./use-form-field.ts";

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form";

export type SuggestFieldProps<Values extends FieldValues> = FormFieldProps<Values> &
  Omit<AutocompleteProps, Own> & {
    /** What only the server knows to be wrong with the value. */
    problem?: string | undefined;
  };

/** Free text with suggestions. */
export function SuggestField<Values extends FieldValues>({
  control,
  name,
  isRequired = false,
  problem,
  ...rest
}: SuggestFieldProps<Values>) {
  const { field, fieldState, formState } = useFormField({ control, name });
  return (
    <Autocomplete
      limit={50}
      {...rest}
      {...field}
      withAsterisk={isRequired}
      aria-required={isRequired}
      error={errorOf(fieldState, formState) ?? problem}
    />
  );
}
