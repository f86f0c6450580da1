import type { NewNotification } from "#features/alarms/mail/mail.service.ts";

export function twoFactorResetMessage(user: { email: string; firstName: string; username: string }): NewNotification {
  return {
    kind: "TWO_FACTOR_RESET",
    to: [user.email],
    subject: "Busbar: your two-factor authentication was taken away",
    body: [
      `Hello ${user.firstName || user.username},`,
      "",
      `an administrator took away the two-factor authentication of the account ${user.username}, and all its sessions have ended.`,
      "If you did not ask for this, tell your system administrator now.",
      "",
    ].join("\n"),
  };
}
