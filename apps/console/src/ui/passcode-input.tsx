import { TextInput, type TextInputProps } from "@mantine/core";
import type { Message } from "./message-line.tsx";

export interface PasscodeInputProps extends Omit<TextInputProps, "value" | "onChange" | "error"> {
  value: string;
  /** What the form says: after a failure a code is entered again, and the field is red until one is. */
  message: Message | undefined;
  onChange: (code: string) => void;
}

/** A 2FA code as it is typed: letters and digits only, whatever is pasted. */
export function PasscodeInput({ value, message, onChange, ...rest }: PasscodeInputProps) {
  return (
    <TextInput
      label="2FA code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      w={180}
      {...rest}
      value={value}
      error={value === "" && (message?.kind === "error" || message?.kind === "validation")}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/[^A-Za-z0-9]/g, ""))}
    />
  );
}
