import { TextInput, Textarea } from "@mantine/core";
import type { TextInputProps, TextareaProps } from "@mantine/core";

/** COM-09: the rules of a one-line field. */
export interface TextRules {
  isRequired?: boolean;
  pattern?: { matches: RegExp; message: string };
  mustMatch?: { value: string; message: string };
}

/** Why a one-line text is not valid; undefined when it is. Required means non-empty. */
export function textProblem(text: string, { isRequired, pattern, mustMatch }: TextRules): string | undefined {
  if (text === "") return isRequired ? "Required" : undefined;
  if (pattern && !pattern.matches.test(text)) return pattern.message;
  return mustMatch && text !== mustMatch.value ? mustMatch.message : undefined;
}

/** Multi-line: required means not blank. */
export function multiLineProblem(text: string, isRequired: boolean): string | undefined {
  return isRequired && text.trim() === "" ? "Required" : undefined;
}

export interface TextFieldProps extends Omit<TextInputProps, "value" | "onChange" | "required" | "pattern"> {
  value: string;
  onChange: (text: string) => void;
  rules?: TextRules;
  isLowercase?: boolean;
  /** Shows the problem only once the person has been here. */
  isTouched: boolean;
}

export function TextField({ value, onChange, rules = {}, isLowercase = false, isTouched, ...rest }: TextFieldProps) {
  const problem = isTouched ? textProblem(value, rules) : undefined;
  return (
    <TextInput
      {...rest}
      value={value}
      error={problem ?? rest.error}
      withAsterisk={rules.isRequired === true}
      aria-required={rules.isRequired === true}
      onChange={(event) => onChange(isLowercase ? event.currentTarget.value.toLowerCase() : event.currentTarget.value)}
    />
  );
}

export interface MultiLineFieldProps extends Omit<TextareaProps, "value" | "onChange" | "required"> {
  value: string;
  onChange: (text: string) => void;
  isRequired?: boolean;
  isTouched: boolean;
}

export function MultiLineField({ value, onChange, isRequired = false, isTouched, ...rest }: MultiLineFieldProps) {
  return (
    <Textarea
      {...rest}
      value={value}
      error={isTouched ? multiLineProblem(value, isRequired) : undefined}
      withAsterisk={isRequired}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
