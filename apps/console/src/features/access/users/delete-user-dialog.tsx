import { deleteUser, resetUserTwoFactor, type User } from "@busbar/contract/access/users.ts";
import { Text } from "@mantine/core";
import { useApi } from "#api/api-context.ts";
import { PasscodeDialog } from "#ui/passcode-dialog.tsx";

export interface UserPasscodeDialogProps {
  user: User;
  onClose: () => void;
}

const askText = "Please enter 2FA code";

const nameOf = ({ firstName, lastName, username }: User) => `${firstName} ${lastName}`.trim() || username;

/** USR-06 */
export function DeleteUserDialog({ user, onClose }: UserPasscodeDialogProps) {
  const call = useApi();
  return (
    <PasscodeDialog
      title={`Delete User ${user.username}?`}
      againText={askText}
      onClose={onClose}
      onConfirm={async (code) => {
        await call(deleteUser, { params: { id: String(user.id), code } });
        return `User ${user.username} deleted successfully`;
      }}
    >
      <Text>
        {nameOf(user)} ({user.email}) is deleted for good, with the login history and all keys; programs that use the keys stop working.
      </Text>
      <Text>
        Consider suspending the user instead: edit the user and set Active Status to SUSPENDED. A suspended user cannot sign in, and can be
        made ACTIVE again.
      </Text>
    </PasscodeDialog>
  );
}

/** SEC-03: for someone who lost the authenticator and the recovery codes. */
export function ResetTwoFactorDialog({ user, onClose }: UserPasscodeDialogProps) {
  const call = useApi();
  return (
    <PasscodeDialog
      title={`Reset Two-Factor Authentication of ${user.username}?`}
      buttonLabel="Reset"
      againText={askText}
      onClose={onClose}
      onConfirm={async (code) => {
        await call(resetUserTwoFactor, { params: { id: String(user.id), code } });
        return `${user.username} has no two-factor authentication any more`;
      }}
    >
      <Text>
        Be sure that {nameOf(user)} asked for it. The authenticator and the recovery codes of {user.username} stop working, all sessions
        end, and the user is notified by e-mail. Confirm with a code of your own.
      </Text>
    </PasscodeDialog>
  );
}
