import { Button, Group } from "@mantine/core";
import type { LossQuestion } from "#lib/unsaved-edits.ts";
import { DialogFrame } from "./dialog-frame.tsx";

const usual: LossQuestion = {
  title: "Discard your changes?",
  text: "What you changed here is not saved.",
  stay: "Keep editing",
  lose: "Discard changes",
};

interface LeaveQuestionProps {
  question: LossQuestion | undefined;
  onAnswer: (isFree: boolean) => void;
}

export function LeaveQuestion({ question: { title, text, stay, lose } = usual, onAnswer }: LeaveQuestionProps) {
  return (
    <DialogFrame title={title} onClose={() => onAnswer(false)}>
      <p>{text}</p>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" data-autofocus onClick={() => onAnswer(false)}>
          {stay}
        </Button>
        <Button color="red.9" onClick={() => onAnswer(true)}>
          {lose}
        </Button>
      </Group>
    </DialogFrame>
  );
}
