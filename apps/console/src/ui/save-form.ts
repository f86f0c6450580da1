import { useEffect } from "react";
import { useForm } from "react-hook-form";
import type { FieldPath, FieldValues, UseFormProps } from "react-hook-form";
import { refusedByServer } from "./field-error.ts";

export interface SaveFormProps<Values extends FieldValues> extends Omit<UseFormProps<Values>, "mode" | "reValidateMode"> {
  /** What the server calls otherwise than the form does: its name, the form's. */
  fieldNames?: Readonly<Record<string, FieldPath<Values>>>;
}

/**
 * Every form of the console (.oxlintrc.json). What keeps it from being saved is marked at once, and after a success nothing is until
 * somebody changes it again; what the server refuses marks its field. Its SaveBar keeps what is not saved from being thrown away unasked.
 */
export function useSaveForm<Values extends FieldValues>({ fieldNames = {}, ...props }: SaveFormProps<Values>) {
  const form = useForm<Values>({ ...props, mode: "onSubmit", reValidateMode: "onSubmit" });
  const { trigger, subscribe, setError, getValues } = form;
  const { isDirty, isValid, errors, isSubmitting } = form.formState;
  useEffect(() => {
    void trigger();
    // All fields are judged together: a rule may be about two of them. A reset names no field.
    return subscribe({ formState: { values: true }, callback: ({ name }) => void (name !== undefined && trigger()) });
  }, [trigger, subscribe]);

  /** Marks the field that an error of the server names. */
  const refuse = (error: unknown): void => {
    const told = (error as { field?: string } | null)?.field?.split(".")[0];
    if (told === undefined || !(error instanceof Error)) return;
    const name = fieldNames[told] ?? (told as FieldPath<Values>);
    const message = error.message.replace(/^[\w.]+: /, "");
    if (getValues(name) !== undefined) setError(name, { type: refusedByServer, message }, { shouldFocus: true });
  };
  return { ...form, refuse, bar: { isValid, isMarked: Object.keys(errors).length > 0, isWorking: isSubmitting, hasEdits: isDirty } };
}
