import { TextInput, type TextInputProps } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { instantOf, type EnteredInstant } from "#lib/entered-instant.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { errorOf } from "./field-error.ts";
import type { FormFieldProps } from "./text-field.tsx";
import { useFormField } from "./use-form-field.ts";

type Own = "value" | "onChange" | "onBlur" | "name" | "required" | "error" | "ref" | "form" | "description";

export type DateTimeFieldProps<Values extends FieldValues> = FormFieldProps<Values> &
  Omit<TextInputProps, Own> & {
    /** The zone whose clocks the text means. */
    timezone: string;
    /** The instant that the form began with: its text means it, also in the second of two equal hours. */
    original?: EnteredInstant;
  };

/** COM-08: a date and time as the clocks of a zone show it; says at once which instant that is. */
export function DateTimeField<Values extends FieldValues>({
  control,
  name,
  timezone,
  original,
  isRequired = false,
  ...rest
}: DateTimeFieldProps<Values>) {
  const { field, fieldState, formState } = useFormField({ control, name });
  const text = field.value as string;
  const read = instantOf(text, timezone, original);
  const problem = "problem" in read && text.trim() !== "" ? read.problem : undefined;
  return (
    <TextInput
      placeholder="yyyy-mm-dd hh:mm:ss"
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...rest}
      {...field}
      withAsterisk={isRequired}
      aria-required={isRequired}
      description={"timestamp" in read ? `You entered ${formatDateTime(read.timestamp, "UTC")}` : `Time zone ${timezone}`}
      error={problem ?? errorOf(fieldState, formState)}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}
