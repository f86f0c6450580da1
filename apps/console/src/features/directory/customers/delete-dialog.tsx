import { Button, Checkbox, Group } from "@mantine/core";
import { useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";

export interface DeleteDialogProps {
  title: string;
  /** What goes with it, in words. */
  children: ReactNode;
  /** The box that must be ticked when something goes with it: `Delete its 12 locations too`. */
  confirmLabel?: string | undefined;
  /** Deletes with the code and gives the sentence for the success. */
  onDelete: (code: string) => Promise<string>;
  onClose: () => void;
}

/** CUS-08: a deletion asks for a 2FA code, and once more for what goes with the thing. */
export function DeleteDialog({ title, children, confirmLabel, onDelete, onClose }: DeleteDialogProps) {
  const outcome = useOutcome();
  const [code, setCode] = useState("");
  // The words that were ticked: when the numbers in them change, that was another question.
  const [confirmed, setConfirmed] = useState<string | undefined>();
  const [hasTried, setHasTried] = useState(false);
  const [isDeleted, setIsDeleted] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code === "")
      return outcome.say({ kind: "validation", text: hasTried ? "Please enter 2FA code and try again" : "Please enter 2FA code" });
    if (confirmed !== confirmLabel) return outcome.say({ kind: "validation", text: `Please tick “${confirmLabel}” as well` });
    setHasTried(true);
    const done = await outcome.run(() => onDelete(code));
    // A code is used once, whatever came of it.
    setCode("");
    if (done) setIsDeleted(true);
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form className="dialog-form" onSubmit={(event) => void submit(event)} noValidate>
        {!isDeleted && (
          <>
            {children}
            {confirmLabel !== undefined && (
              <Checkbox
                label={confirmLabel}
                checked={confirmed === confirmLabel}
                onChange={(event) => setConfirmed(event.currentTarget.checked ? confirmLabel : undefined)}
              />
            )}
            <PasscodeInput value={code} message={outcome.message} onChange={setCode} data-autofocus />
          </>
        )}
        <MessageLine message={outcome.message} onCleared={isDeleted ? undefined : outcome.clear} />
        <Group justify="flex-end" gap="sm">
          <Button type="button" variant="default" onClick={onClose}>
            Close
          </Button>
          {!isDeleted && (
            <Button type="submit" color="red.9" disabled={outcome.isWorking} loading={outcome.isWorking}>
              Delete
            </Button>
          )}
        </Group>
      </form>
    </Dialog>
  );
}
