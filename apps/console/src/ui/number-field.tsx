import { readPlainNumber } from "@busbar/contract/values/plain-number.ts";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import type { FieldValues } from "react-hook-form";
import { errorOf } from "./field-error.ts";
import type { FormFieldProps } from "./text-field.tsx";
import { useFormField } from "./use-form-field.ts";

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form" | "rightSection" | "inputMode";

export type NumberFieldProps<Values extends FieldValues> = FormFieldProps<Values> &
  Omit<TextInputProps, Own> & {
    /** Shown at the end of the field; it is no part of what is typed. */
    unit?: string;
  };

/** A number as someone types it, never changed under their hands; other text goes to the form's schema, which refuses it. */
export function NumberField<Values extends FieldValues>({ control, name, isRequired = false, unit, ...rest }: NumberFieldProps<Values>) {
  const { field, fieldState, formState } = useFormField({ control, name });
  const [typed, setTyped] = useState("");
  // The form may start over with another value.
  const text = readPlainNumber(typed) === field.value ? typed : String(field.value);
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      {...field}
      value={text}
      inputMode="decimal"
      withAsterisk={isRequired}
      aria-required={isRequired}
      error={errorOf(fieldState, formState)}
      {...(unit === undefined ? {} : { rightSection: <span className="dim">{unit}</span>, rightSectionPointerEvents: "none" })}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        field.onChange(readPlainNumber(event.currentTarget.value));
      }}
    />
  );
}
