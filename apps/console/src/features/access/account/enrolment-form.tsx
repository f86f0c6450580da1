import { beginTwoFactor, confirmTwoFactor } from "@busbar/contract/access/two-factor.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useApi } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { PasswordInput } from "#ui/password-input.tsx";
import { QrCode } from "#ui/qr-code.tsx";
import { UnsavedEdits, useLeave } from "#ui/unsaved-edits.tsx";

export interface EnrolmentFormProps {
  /** Someone with a second factor confirms a new one with a code of the present one. */
  hasTwoFactor: boolean;
  onEnrolled: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** SEC-03: password, then the new secret as QR code and text, then a code of it. */
export function EnrolmentForm({ hasTwoFactor, onEnrolled, onCancel }: EnrolmentFormProps) {
  const call = useApi();
  const outcome = useOutcome();
  const leave = useLeave();
  const [password, setPassword] = useState("");
  const [refusedPassword, setRefusedPassword] = useState<string | undefined>();
  const passcode = usePasscode(outcome);
  const [secret, setSecret] = useState<{ secret: string; otpauthAddress: string } | undefined>();

  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (password === "") return outcome.say({ kind: "validation", text: "Please enter your password" });
    if (hasTwoFactor && passcode.isMissing()) return;
    await outcome.run(
      async () => {
        setSecret(await call(beginTwoFactor, { body: { password, ...(hasTwoFactor ? { code: passcode.code } : {}) } }));
        setPassword("");
        return "Scan the code, then confirm";
      },
      { refuse: (error) => error instanceof ApiError && error.field === "currentPassword" && setRefusedPassword(password) },
    );
    passcode.spend();
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (passcode.isMissing()) return;
    const recoveryCodes: string[] = [];
    const isDone = await outcome.run(async () => {
      recoveryCodes.push(...(await call(confirmTwoFactor, { body: { code: passcode.code } })).recoveryCodes);
      return "Two-factor authentication is set up";
    });
    passcode.spend();
    if (isDone) onEnrolled(recoveryCodes);
  };

  return (
    <form onSubmit={(event) => void (secret ? confirm(event) : begin(event))} noValidate aria-label="Set up two-factor authentication">
      <Stack gap="sm">
        {!secret && (
          <>
            <PasswordInput
              label="Your password"
              value={password}
              error={password === refusedPassword || (password === "" && outcome.message?.kind === "validation")}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              maw={320}
            />
            {hasTwoFactor && <PasscodeInput {...passcode.field} description="Of the present authenticator, or a recovery code" w={320} />}
          </>
        )}
        {secret && (
          <>
            <Text size="sm">Scan this code with an authenticator app, or type the secret into it. Then enter the six digits it shows.</Text>
            <QrCode text={secret.otpauthAddress} label="QR code of the new secret" />
            <div className="own-secret">
              <code className="mono">{secret.secret}</code>
              <CopyButton text={secret.secret} label="Copy the secret" isInTabOrder />
            </div>
            <PasscodeInput {...passcode.field} />
          </>
        )}
        <UnsavedEdits when={password !== "" || secret !== undefined} />
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group gap="sm">
          <Button type="submit" disabled={outcome.isWorking}>
            {secret ? "Confirm" : "Continue"}
          </Button>
          <Button variant="default" onClick={() => leave(onCancel)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
