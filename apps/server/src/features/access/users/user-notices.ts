import type { PoolClient } from "pg";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { UserRow } from "./users.store.ts";

type Addressee = Pick<UserRow, "username" | "firstName" | "email">;

const welcomeKind = "ACCOUNT_WELCOME";

/** The mails to users about their accounts. Nothing in it is secret: mail is read by many. */
export function createUserNotices(mail: Pick<Mail, "enqueue" | "findOpen">) {
  return {
    /** Held for the caller, who delivers it; the row's id. Asked again while the last one waits, it is that one. */
    async welcome(client: PoolClient, user: Addressee & Pick<UserRow, "customerName">): Promise<number | undefined> {
      const open = await mail.findOpen(client, welcomeKind, user.email);
      return open ?? (await mail.enqueue(client, { kind: welcomeKind, ...welcomeText(user), to: [user.email] }, "caller"));
    },

    async passwordChanged(client: PoolClient, user: Addressee, byAdministrator: boolean): Promise<void> {
      await mail.enqueue(client, { kind: "PASSWORD_CHANGED", ...passwordText(user, byAdministrator), to: [user.email] });
    },
  };
}
export type UserNotices = ReturnType<typeof createUserNotices>;

function welcomeText({ username, firstName, customerName }: Addressee & Pick<UserRow, "customerName">) {
  return {
    subject: "Welcome to Busbar",
    body: [
      `Hello ${firstName},`,
      "",
      `an account was made for you${customerName === "" ? "" : ` as a user of ${customerName}`}.`,
      "",
      `Your username is ${username}; this e-mail address works in its place.`,
      "Your password reaches you by another way, and no one will ever ask you for it.",
      "",
    ].join("\n"),
  };
}

function passwordText({ username, firstName }: Addressee, byAdministrator: boolean) {
  return {
    subject: "Busbar: your password was changed",
    body: [
      `Hello ${firstName || username},`,
      "",
      byAdministrator
        ? `an administrator set a new password for the account ${username}. All its sessions have ended.`
        : `the password of the account ${username} was changed. All other sessions have ended.`,
      "If you did not ask for this, tell your system administrator now.",
      "",
    ].join("\n"),
  };
}
