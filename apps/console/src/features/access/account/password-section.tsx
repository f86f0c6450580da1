import { CurrentPassword, changeOwnPassword } from "@busbar/contract/access/account.ts";
import { NewPassword, PasswordConfirm, passwordsDiffer } from "@busbar/contract/access/user-rules.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { useOutcome, type Outcome } from "#ui/use-outcome.ts";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { PasswordField } from "#ui/text-field.tsx";

const Passwords = z
  .object({ currentPassword: CurrentPassword, newPassword: NewPassword, passwordConfirm: PasswordConfirm })
  .check(z.refine((values) => values.newPassword === values.passwordConfirm, { error: passwordsDiffer, path: ["passwordConfirm"] }));
type Passwords = z.infer<typeof Passwords>;

export function PasswordSection({ mustChange }: { mustChange: boolean }) {
  const [isOpen, setIsOpen] = useState(mustChange);
  const outcome = useOutcome();
  return (
    <section aria-label="Password">
      <h3 className="section-title">Password</h3>
      {mustChange && <Notice kind="warning">An administrator set your password. Choose one that only you know.</Notice>}
      {isOpen ? (
        <OwnPasswordForm outcome={outcome} onDone={() => setIsOpen(false)} />
      ) : (
        <>
          <MessageLine message={outcome.message} onCleared={outcome.clear} />
          <Button variant="default" onClick={() => setIsOpen(true)}>
            Change your password
          </Button>
        </>
      )}
    </section>
  );
}

function OwnPasswordForm({ outcome, onDone }: { outcome: Outcome; onDone: () => void }) {
  const call = useApi();
  const form = useSaveForm<Passwords>({
    outcome,
    resolver: zodResolver(Passwords),
    defaultValues: { currentPassword: "", newPassword: "", passwordConfirm: "" },
  });
  const save = form.saving(async ({ currentPassword, newPassword }) => {
    await call(changeOwnPassword, { body: { currentPassword, newPassword } });
    onDone();
    return "Password changed. Your other sessions have ended";
  });

  return (
    <SaveForm form={form} onSubmit={save} saveLabel="Change Password" label="Change your password">
      <Stack gap="sm" maw={420}>
        <PasswordField control={form.control} name="currentPassword" label="Current Password" isRequired autoComplete="current-password" />
        <PasswordField
          control={form.control}
          name="newPassword"
          label="New Password"
          description="12 or more of letters, digits and # . ! & % + - _"
          isRequired
          autoComplete="new-password"
        />
        <PasswordField control={form.control} name="passwordConfirm" label="Confirm Password" isRequired autoComplete="new-password" />
      </Stack>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
    </SaveForm>
  );
}
