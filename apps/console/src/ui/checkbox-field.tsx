import { Checkbox, type CheckboxProps } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { errorOf } from "./field-error.ts";
import type { FormFieldProps } from "./text-field.tsx";
import { useFormField } from "./use-form-field.ts";

export type CheckboxFieldProps<Values extends FieldValues> = Omit<FormFieldProps<Values>, "isRequired"> &
  Omit<CheckboxProps, "checked" | "value" | "onChange" | "onBlur" | "name" | "error" | "ref" | "form">;

export function CheckboxField<Values extends FieldValues>({ control, name, ...rest }: CheckboxFieldProps<Values>) {
  const { field, fieldState, formState } = useFormField({ control, name });
  const { value, onChange, ...others } = field;
  return (
    <Checkbox
      {...rest}
      {...others}
      checked={value === true}
      error={errorOf(fieldState, formState)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
