import { TextInput, Textarea, type PasswordInputProps, type TextInputProps, type TextareaProps } from "@mantine/core";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { errorOf } from "./field-error.ts";
import { PasswordInput } from "./password-input.tsx";
import { useFormField } from "./use-form-field.ts";

/** A field of a form: its name in the form's values; the form's schema says what is valid. */
export interface FormFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** Marks the field as required; the schema must say so too. */
  isRequired?: boolean;
}

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form";

export type TextFieldProps<Values extends FieldValues> = FormFieldProps<Values> &
  Omit<TextInputProps, Own> & {
    isLowercase?: boolean;
    /** For codes and addresses, where a space around can only have been pasted. */
    isTrimmed?: boolean;
  };

export function TextField<Values extends FieldValues>({
  control,
  name,
  isRequired = false,
  isLowercase = false,
  isTrimmed = false,
  ...rest
}: TextFieldProps<Values>) {
  const { field, error } = useField({ control, name });
  const textOf = (text: string) => {
    const kept = isTrimmed ? text.trim() : text;
    return isLowercase ? kept.toLowerCase() : kept;
  };
  return (
    <TextInput
      {...rest}
      {...field}
      {...marks(isRequired)}
      error={error}
      onChange={(event) => field.onChange(textOf(event.currentTarget.value))}
    />
  );
}

export type PasswordFieldProps<Values extends FieldValues> = FormFieldProps<Values> & Omit<PasswordInputProps, Own>;

export function PasswordField<Values extends FieldValues>({ control, name, isRequired = false, ...rest }: PasswordFieldProps<Values>) {
  const { field, error } = useField({ control, name });
  return <PasswordInput {...rest} {...field} {...marks(isRequired)} error={error} />;
}

export type MultiLineFieldProps<Values extends FieldValues> = FormFieldProps<Values> & Omit<TextareaProps, Own>;

export function MultiLineField<Values extends FieldValues>({ control, name, isRequired = false, ...rest }: MultiLineFieldProps<Values>) {
  const { field, error } = useField({ control, name });
  return <Textarea {...rest} {...field} {...marks(isRequired)} error={error} />;
}

function useField<Values extends FieldValues>(props: { control: Control<Values>; name: FieldPath<Values> }) {
  const { field, fieldState, formState } = useFormField(props);
  return { field: { ...field, value: field.value as string }, error: errorOf(fieldState, formState) };
}

const marks = (isRequired: boolean) => ({ withAsterisk: isRequired, "aria-required": isRequired });
