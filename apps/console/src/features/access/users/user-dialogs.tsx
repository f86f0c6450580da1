import type { User } from "@busbar/contract/access/users.ts";
import { AnalyticsFailureDialog } from "./analytics-dialog.tsx";
import { DeleteUserDialog, ResetTwoFactorDialog } from "./delete-user-dialog.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { LoginHistoryDialog } from "./login-history-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import type { UserAction } from "./user-actions.tsx";
import { UserDialog, type UserDialogProps } from "./user-dialog.tsx";
import { WelcomeDialog } from "./welcome-dialog.tsx";

/** Which dialog is open on the users page. */
export type OpenUserDialog =
  | { kind: "add" }
  | { kind: Exclude<UserAction, "analytics">; user: User }
  | { kind: "analytics-failure"; user: User; message: string };

export interface UserDialogsProps extends Pick<UserDialogProps, "renderMore"> {
  dialog: OpenUserDialog;
  onClose: () => void;
}

export function UserDialogs({ dialog, renderMore, onClose }: UserDialogsProps) {
  switch (dialog.kind) {
    case "add":
      return <UserDialog renderMore={renderMore} onClose={onClose} />;
    case "edit":
      return <UserDialog user={dialog.user} renderMore={renderMore} onClose={onClose} />;
    case "history":
      return <LoginHistoryDialog user={dialog.user} onClose={onClose} />;
    case "welcome":
      return <WelcomeDialog user={dialog.user} onClose={onClose} />;
    case "password":
      return <PasswordDialog user={dialog.user} onClose={onClose} />;
    case "keys":
      return <KeysDialog user={dialog.user} onClose={onClose} />;
    case "reset-two-factor":
      return <ResetTwoFactorDialog user={dialog.user} onClose={onClose} />;
    case "delete":
      return <DeleteUserDialog user={dialog.user} onClose={onClose} />;
    case "analytics-failure":
      return <AnalyticsFailureDialog user={dialog.user} message={dialog.message} onClose={onClose} />;
  }
}
