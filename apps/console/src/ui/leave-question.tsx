import { Button, Group } from "@mantine/core";
import { DialogFrame } from "./dialog-frame.tsx";

export function LeaveQuestion({ onAnswer }: { onAnswer: (isFree: boolean) => void }) {
  return (
    <DialogFrame title="Discard your changes?" onClose={() => onAnswer(false)}>
      <p>What you changed here is not saved.</p>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" data-autofocus onClick={() => onAnswer(false)}>
          Keep editing
        </Button>
        <Button color="red.9" onClick={() => onAnswer(true)}>
          Discard changes
        </Button>
      </Group>
    </DialogFrame>
  );
}
