import { TextInput } from "@mantine/core";
import type { TextInputProps } from "@mantine/core";

export interface PasscodeInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  onChange: (code: string) => void;
}

/** A 2FA code as it is typed: letters and digits only, whatever is pasted. */
export function PasscodeInput({ value, onChange, ...rest }: PasscodeInputProps) {
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
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/[^A-Za-z0-9]/g, ""))}
    />
  );
}
