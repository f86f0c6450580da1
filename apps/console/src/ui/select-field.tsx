import type { SelectProps } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { errorOf } from "./field-error.ts";
import { Select } from "./select.tsx";
import type { FormFieldProps } from "./text-field.tsx";
import { useFormField } from "./use-form-field.ts";

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form";

export type SelectFieldProps<Values extends FieldValues> = FormFieldProps<Values> & Omit<SelectProps, Own>;

/** One of a list; an empty value is the choice named `(blank)`. */
export function SelectField<Values extends FieldValues>({ control, name, isRequired = false, ...rest }: SelectFieldProps<Values>) {
  const { field, fieldState, formState } = useFormField({ control, name });
  return (
    <Select
      allowDeselect={false}
      {...rest}
      {...field}
      withAsterisk={isRequired}
      aria-required={isRequired}
      error={errorOf(fieldState, formState)}
    />
  );
}

/** Choices of an option list, whose empty entry is shown as `(blank)`. */
export const choicesOf = (options: readonly string[]) => options.map((value) => ({ value, label: value === "" ? "(blank)" : value }));
