import { counted } from "@busbar/contract/values/counted.ts";
import type { PoolClient } from "pg";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { readSubscribedFacilities, type SubscribedFacility } from "./subscribed-facilities.store.ts";
import type { UserRow } from "./users.store.ts";

type Addressee = Pick<UserRow, "username" | "firstName" | "email">;

const welcomeKind = "ACCOUNT_WELCOME";

/** The mails to users about their accounts. Nothing in it is secret: mail is read by many. */
export function createUserNotices(mail: Pick<Mail, "enqueue" | "findOpen">) {
  return {
    /** Held for the caller, who delivers it; the row's id. Asked again while the last one waits, it is that one. */
    async welcome(client: PoolClient, user: UserRow): Promise<number | undefined> {
      const open = await mail.findOpen(client, welcomeKind, user.email);
      if (open !== undefined) return open;
      const text = welcomeText(user, await readSubscribedFacilities(client, user.id));
      return await mail.enqueue(client, { kind: welcomeKind, ...text, to: [user.email] }, "caller");
    },

    async passwordChanged(client: PoolClient, user: Addressee, byAdministrator: boolean): Promise<void> {
      await mail.enqueue(client, { kind: "PASSWORD_CHANGED", ...passwordText(user, byAdministrator), to: [user.email] });
    },
  };
}
export type UserNotices = ReturnType<typeof createUserNotices>;

const mostNamed = 50;

/** What the user gets by mail, and of which facilities; no lines for who gets nothing. */
function subscriptionLines(user: UserRow, facilities: readonly SubscribedFacility[]): string[] {
  const kinds = [
    ...(user.receiveConnectivityNotifications ? ["connectivity notifications"] : []),
    ...(user.receiveFaultLibraryNotifications ? ["fault library notifications"] : []),
    ...(user.receiveDailyReport ? ["a daily report"] : []),
  ];
  if (kinds.length === 0 || facilities.length === 0) return [];
  const others = facilities.length - mostNamed;
  return [
    "",
    `You get ${kinds.join(", ")} of`,
    ...facilities.slice(0, mostNamed).map(({ name, frequency }) => `- ${name}: ${frequency}`),
    ...(others > 0 ? [`- ${counted(others, "more facility", "more facilities")}`] : []),
  ];
}

function welcomeText(user: UserRow, facilities: readonly SubscribedFacility[]) {
  const { username, firstName, customerName } = user;
  return {
    subject: "Welcome to Busbar",
    body: [
      `Hello ${firstName},`,
      "",
      `an account was made for you${customerName === "" ? "" : ` as a user of ${customerName}`}.`,
      "",
      `Your username is ${username}; this e-mail address works in its place.`,
      "Your password reaches you by another way, and no one will ever ask you for it.",
      ...subscriptionLines(user, facilities),
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
