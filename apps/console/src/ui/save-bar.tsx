import { Button, Group, Text } from "@mantine/core";
import { useId } from "react";

export interface SaveBarProps {
  saveLabel: string;
  isValid: boolean;
  isWorking: boolean;
}

/** COM-03: saving is possible only with valid data, and the bar says what is missing. */
export function SaveBar({ saveLabel, isValid, isWorking }: SaveBarProps) {
  const hintId = useId();
  return (
    <Group justify="flex-end" gap="sm" mt="md">
      {!isValid && (
        <Text id={hintId} size="sm" c="var(--mantine-color-error)">
          Please correct the fields marked in red to enable {saveLabel} button.
        </Text>
      )}
      <Button type="submit" disabled={!isValid || isWorking} loading={isWorking} aria-describedby={isValid ? undefined : hintId}>
        {saveLabel}
      </Button>
    </Group>
  );
}
