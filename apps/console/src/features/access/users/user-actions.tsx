import type { User } from "@busbar/contract/access/users.ts";
import {
  IconChartLine,
  IconHistory,
  IconKey,
  IconMail,
  IconLock,
  IconPencil,
  IconShieldX,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";

export type UserAction = "history" | "edit" | "welcome" | "password" | "keys" | "analytics" | "reset-two-factor" | "delete";

const actions: { action: UserAction; label: string; icon: Icon; isDangerous?: boolean }[] = [
  { action: "history", label: "Login history", icon: IconHistory },
  { action: "edit", label: "Edit", icon: IconPencil },
  { action: "welcome", label: "Send welcome email", icon: IconMail },
  { action: "password", label: "Change password", icon: IconLock },
  { action: "keys", label: "Manage API keys", icon: IconKey },
  { action: "analytics", label: "Open analytics in a new tab", icon: IconChartLine },
  { action: "reset-two-factor", label: "Reset two-factor authentication", icon: IconShieldX, isDangerous: true },
  { action: "delete", label: "Delete", icon: IconTrash, isDangerous: true },
];

export interface UserActionsProps {
  user: User;
  /** A systemAdministrator may take a second factor away. */
  canResetTwoFactor: boolean;
  onAction: (user: User, action: UserAction) => void;
}

export function UserActions({ user, canResetTwoFactor, onAction }: UserActionsProps) {
  const shown = actions.filter(({ action }) => action !== "reset-two-factor" || (canResetTwoFactor && user.twoFactorEnrolled));
  return (
    <span className="user-actions">
      {shown.map(({ action, label, icon: Shape, isDangerous }) => (
        <button
          key={action}
          type="button"
          className={`plain-button user-action${isDangerous ? " bad" : ""}`}
          title={label}
          aria-label={`${label}: ${user.username}`}
          onClick={() => onAction(user, action)}
        >
          <Shape size={16} aria-hidden />
        </button>
      ))}
    </span>
  );
}
