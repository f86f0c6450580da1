import { Button, Group, Text } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { UnsavedEdits } from "./unsaved-edits.tsx";

export interface SaveBarProps {
  saveLabel: string;
  isValid: boolean;
  /** Whether a field says what is missing: right after a success none does. */
  isMarked?: boolean;
  isWorking: boolean;
  hasEdits: boolean;
  /** Another way to send the same fields. */
  children?: ReactNode;
}

/** COM-03: saving is possible only with valid data, and the bar says what is missing. */
export function SaveBar({ saveLabel, isValid, isMarked = !isValid, isWorking, hasEdits, children }: SaveBarProps) {
  const hintId = useId();
  const isHinted = !isValid && isMarked;
  return (
    <Group justify="flex-end" gap="sm" mt="md">
      <UnsavedEdits when={hasEdits} />
      {isHinted && (
        <Text id={hintId} size="sm" c="var(--mantine-color-error)">
          Please correct the fields marked in red to enable {saveLabel} button.
        </Text>
      )}
      {children}
      <Button type="submit" disabled={!isValid || isWorking} loading={isWorking} aria-describedby={isHinted ? hintId : undefined}>
        {saveLabel}
      </Button>
    </Group>
  );
}
