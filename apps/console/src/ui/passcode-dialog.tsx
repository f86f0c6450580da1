import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { Dialog } from "./dialog.tsx";
import { MessageLine } from "./message-line.tsx";
import { PasscodeInput } from "./passcode-input.tsx";
import { useOutcome } from "./use-outcome.ts";
import { usePasscode } from "./use-passcode.ts";

export interface PasscodeFormProps {
  /** What will happen, in words. */
  children: ReactNode;
  buttonLabel?: string;
  label?: string;
  /** The box that must be ticked when something goes with it: `Delete its 12 locations too`. */
  confirmLabel?: string | undefined;
  /** Asks for a code once more, after one that did not do. */
  againText?: string;
  /** Acts with the code and gives the sentence for the success. */
  onConfirm: (code: string) => Promise<string>;
  onClose: () => void;
}

/** CUS-08: a dangerous act that a 2FA code confirms, and a tick what goes with it. */
export function PasscodeForm({
  children,
  buttonLabel = "Delete",
  label,
  confirmLabel,
  againText = "Please enter 2FA code and try again",
  onConfirm,
  onClose,
}: PasscodeFormProps) {
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  // The words that were ticked: when the numbers in them change, that was another question.
  const [confirmed, setConfirmed] = useState<string | undefined>();
  const [hasTried, setHasTried] = useState(false);
  const [isDone, setIsDone] = useState(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (outcome.isWorking) return;
    if (passcode.isMissing(hasTried ? againText : undefined)) return;
    if (confirmed !== confirmLabel) return outcome.say({ kind: "validation", text: `Please tick “${confirmLabel}” as well` });
    setHasTried(true);
    setIsDone(await outcome.run(() => onConfirm(passcode.code)));
    passcode.spend();
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={label}>
      <Stack gap="sm">
        {!isDone && (
          <>
            {children}
            {confirmLabel !== undefined && (
              <Checkbox
                label={confirmLabel}
                checked={confirmed === confirmLabel}
                onChange={(event) => setConfirmed(event.currentTarget.checked ? confirmLabel : undefined)}
              />
            )}
            <PasscodeInput {...passcode.field} data-autofocus />
          </>
        )}
        <MessageLine message={outcome.message} onCleared={isDone ? undefined : outcome.clear} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
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
  );
}

export function PasscodeDialog({ title, ...form }: PasscodeFormProps & { title: string }) {
  return (
    <Dialog title={title} onClose={form.onClose}>
      <PasscodeForm {...form} />
    </Dialog>
  );
}
