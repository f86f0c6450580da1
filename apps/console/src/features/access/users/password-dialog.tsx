import { NewPassword, PasswordConfirm, passwordsDiffer } from "@busbar/contract/access/user-rules.ts";
import { setUserPassword, type User } from "@busbar/contract/access/users.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Stack, Text } from "@mantine/core";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { PasswordField } from "#ui/text-field.tsx";

const Passwords = z
  .object({ newPassword: NewPassword, passwordConfirm: PasswordConfirm })
  .check(z.refine((values) => values.newPassword === values.passwordConfirm, { error: passwordsDiffer, path: ["passwordConfirm"] }));
type Passwords = z.infer<typeof Passwords>;

/** USR-05 */
export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const call = useApi();
  const form = useSaveForm<Passwords>({
    resolver: zodResolver(Passwords),
    defaultValues: { newPassword: "", passwordConfirm: "" },
  });

  const save = form.saving(async ({ newPassword }) => {
    await call(setUserPassword, { params: { id: String(user.id) }, body: { newPassword } });
    form.reset();
    return "Password changed successfully";
  });

  return (
    <Dialog title={`Change Password of ${user.username}`} onClose={onClose}>
      <SaveForm form={form} onSubmit={save} saveLabel="Change Password">
        <Stack gap="sm" maw={420}>
          <Text size="sm">The user is signed out everywhere and notified by e-mail, without the password.</Text>
          <PasswordField
            control={form.control}
            name="newPassword"
            label="New Password"
            description={`${user.administrator ? 12 : 8} or more of letters, digits and # . ! & % + - _`}
            isRequired
            autoComplete="new-password"
            data-autofocus
          />
          <PasswordField control={form.control} name="passwordConfirm" label="Confirm Password" isRequired autoComplete="new-password" />
        </Stack>
      </SaveForm>
    </Dialog>
  );
}
