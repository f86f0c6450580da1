import { NewPassword, passwordsDiffer } from "@busbar/contract/access/user-rules.ts";
import { setUserPassword } from "@busbar/contract/access/users.ts";
import type { User } from "@busbar/contract/access/users.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Stack, Text } from "@mantine/core";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.ts";
import { PasswordField } from "#ui/text-field.tsx";

const Passwords = z
  .object({ newPassword: NewPassword, passwordConfirm: z.string() })
  .check(z.refine((values) => values.newPassword === values.passwordConfirm, { error: passwordsDiffer, path: ["passwordConfirm"] }));
type Passwords = z.infer<typeof Passwords>;

/** USR-05 */
export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm<Passwords>({
    resolver: zodResolver(Passwords),
    defaultValues: { newPassword: "", passwordConfirm: "" },
  });

  const submit = handleSubmit(async ({ newPassword }) => {
    const isDone = await outcome.run(
      async () => {
        await call(setUserPassword, { params: { id: String(user.id) }, body: { newPassword } });
        return "Password changed successfully";
      },
      { refuse },
    );
    if (isDone) reset();
  });

  return (
    <Dialog title={`Change Password of ${user.username}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm" maw={420}>
          <Text size="sm">The user is signed out everywhere and told by e-mail, without the password.</Text>
          <PasswordField
            control={control}
            name="newPassword"
            label="New Password"
            description={`${user.administrator ? 12 : 8} or more of letters, digits and # . ! & % + - _`}
            isRequired
            autoComplete="new-password"
            data-autofocus
          />
          <PasswordField control={control} name="passwordConfirm" label="Confirm Password" isRequired autoComplete="new-password" />
        </Stack>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <SaveBar saveLabel="Change Password" {...bar} />
      </form>
    </Dialog>
  );
}
