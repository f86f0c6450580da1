import { PasswordInput as LibraryInput, type PasswordInputProps } from "@mantine/core";

/** The library's own marks a refused password for the eye only. */
export function PasswordInput(props: PasswordInputProps) {
  return (
    <LibraryInput
      {...props}
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
    />
  );
}
