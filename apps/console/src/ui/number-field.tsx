import { NumberInput } from "@mantine/core";
import type { NumberInputProps } from "@mantine/core";
import { useController } from "react-hook-form";
import type { FieldValues } from "react-hook-form";
import type { FormFieldProps } from "./text-field.tsx";

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form";

export type NumberFieldProps<Values extends FieldValues> = FormFieldProps<Values> & Omit<NumberInputProps, Own>;

/** A number; an empty field is no number, which the form's schema refuses in its own words. */
export function NumberField<Values extends FieldValues>({ control, name, isRequired = false, ...rest }: NumberFieldProps<Values>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <NumberInput
      hideControls
      {...rest}
      {...field}
      value={field.value}
      withAsterisk={isRequired}
      aria-required={isRequired}
      error={fieldState.error?.message}
    />
  );
}
