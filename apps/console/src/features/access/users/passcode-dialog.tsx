import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";

export interface PasscodeDialogProps {
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  buttonLabel: string;
  /** Acts with the code and gives the sentence for the success. */
  onConfirm: (code: string) => Promise<string>;
  onClose: () => void;
}

/** A dangerous act that a 2FA code confirms. */
export function PasscodeDialog({ title, children, buttonLabel, onConfirm, onClose }: PasscodeDialogProps) {
  const outcome = useOutcome();
  const [code, setCode] = useState("");
  const [isDone, setIsDone] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code === "") return outcome.say({ kind: "validation", text: "Please enter 2FA code" });
    setIsDone(await outcome.run(() => onConfirm(code)));
    // A code is used once, whatever came of it.
    setCode("");
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          {!isDone && children}
          {!isDone && <PasscodeInput value={code} message={outcome.message} onChange={setCode} data-autofocus />}
          <MessageLine message={outcome.message} onCleared={isDone ? undefined : outcome.clear} />
          <Group justify="flex-end" gap="sm">
            <Button type="button" variant="default" onClick={onClose}>
              Close
            </Button>
            {!isDone && (
              <Button type="submit" color="red.9" disabled={outcome.isWorking} loading={outcome.isWorking}>
                {buttonLabel}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
