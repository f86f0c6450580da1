import { errorCodes } from "@busbar/contract/errors.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { AppError, conflict } from "#lib/errors.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import type { UserGuard } from "./user-guard.ts";
import type { UserNotices } from "./user-notices.ts";

// USR-08, letter for letter
const noFirstName = "User does not have a first name. Please set it before you send a welcome email.";

export interface WelcomeDependencies {
  pool: Pool;
  guard: UserGuard;
  mail: Pick<Mail, "deliver">;
  notices: UserNotices;
}

/** USR-08: queues the welcome e-mail and tries it at once, so that the answer says what happened to it. */
export function createWelcome({ pool, guard, mail, notices }: WelcomeDependencies) {
  return {
    /** Returns when the mail server took it, in epoch seconds. @throws AppError 409, or 502 with the mail server's words */
    async send(caller: Caller, userId: number): Promise<number> {
      const notificationId = await inTransaction(pool, async (client) => {
        const user = await guard.lock(client, caller, userId);
        if (user.firstName.trim() === "") throw conflict(noFirstName);
        if (user.activeStatus !== "ACTIVE") throw conflict(`${user.username} is suspended`);
        const id = await notices.welcome(client, user);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_ACCOUNT_NOTIFICATION",
          object: userObject(userId),
          description: `Sent the welcome e-mail to ${user.username}`,
        });
        return id;
      });
      if (notificationId === undefined) throw new Error("A notification without a key was not stored");
      const delivery = await mail.deliver(notificationId);
      if (delivery.outcome === "sent") return delivery.at;
      const next = delivery.outcome === "retried later" ? ". It will be tried again" : "";
      throw new AppError(502, errorCodes.mailFailed, `The e-mail was not sent (${delivery.reason})${next}`);
    },
  };
}
export type Welcome = ReturnType<typeof createWelcome>;
