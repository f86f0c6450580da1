import type { Account } from "@busbar/contract/access/account.ts";
import { replaceRecoveryCodes } from "@busbar/contract/access/two-factor.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { EnrolmentForm } from "./enrolment-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Step = "idle" | "enrolling" | "renewing";

export function TwoFactorSection({ account }: { account: Account }) {
  const [step, setStep] = useState<Step>("idle");
  const [codes, setCodes] = useState<readonly string[]>([]);
  const showCodes = (recoveryCodes: readonly string[]) => {
    setStep("idle");
    setCodes(recoveryCodes);
  };
  const { twoFactor } = account;

  return (
    <section aria-label="Two-factor authentication">
      <h3 className="section-title">Two-factor authentication</h3>
      {account.mustEnrolTwoFactor && (
        <Notice kind="warning">Your account needs two-factor authentication. Set it up now; nothing else is possible before.</Notice>
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onDone={() => setCodes([])} />}
      {codes.length === 0 && step === "enrolling" && (
        <EnrolmentForm hasTwoFactor={twoFactor !== null} onEnrolled={showCodes} onCancel={() => setStep("idle")} />
      )}
      {codes.length === 0 && step === "renewing" && <RenewForm onRenewed={showCodes} onCancel={() => setStep("idle")} />}
      {codes.length === 0 && step === "idle" && (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {twoFactor
              ? `Set up on ${formatDateTime(twoFactor.enrolledTimestamp)}; ${twoFactor.recoveryCodesLeft} recovery codes left.`
              : "Not set up. Deletions and other dangerous acts ask for a 2FA code."}
          </Text>
          <Group gap="sm">
            <Button variant={twoFactor ? "default" : "filled"} onClick={() => setStep("enrolling")}>
              {twoFactor ? "Use another authenticator" : "Set up two-factor authentication"}
            </Button>
            {twoFactor && (
              <Button variant="default" onClick={() => setStep("renewing")}>
                New recovery codes
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </section>
  );
}

function RenewForm({ onRenewed, onCancel }: { onRenewed: (codes: readonly string[]) => void; onCancel: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (passcode.isMissing()) return;
    const made: string[] = [];
    const isDone = await outcome.run(async () => {
      made.push(...(await call(replaceRecoveryCodes, { body: { code: passcode.code } })).recoveryCodes);
      return "New recovery codes made";
    });
    passcode.spend();
    if (isDone) onRenewed(made);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="New recovery codes">
      <Stack gap="sm">
        <Text size="sm">The present recovery codes stop working.</Text>
        <PasscodeInput {...passcode.field} />
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group gap="sm">
          <Button type="submit" disabled={outcome.isWorking}>
            Make new codes
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
