import { counted } from "@busbar/contract/values/counted.ts";
import type { Account, AccountSession } from "@busbar/contract/access/account.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { SessionService } from "#features/access/session/session.service.ts";
import type { TwoFactorStore } from "#features/access/two-factor/two-factor.store.ts";
import type { UserGuard } from "#features/access/users/user-guard.ts";
import type { UserNotices } from "#features/access/users/user-notices.ts";
import type { UsersStore } from "#features/access/users/users.store.ts";
import type { Caller } from "#http/endpoints.ts";
import { passwordProblem } from "#lib/account-rules.ts";
import type { Clock } from "#lib/clock.ts";
import { invalid, notFound } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import type { AccountStore } from "./account.store.ts";

export interface AccountDependencies {
  pool: Pool;
  store: AccountStore;
  users: UsersStore;
  guard: UserGuard;
  twoFactor: Pick<TwoFactorStore, "find">;
  sessions: Pick<SessionService, "confirmPassword" | "endAllOf" | "forget" | "idleSeconds">;
  notices: UserNotices;
  clock: Clock;
}

/** What the signed-in person sees and changes of their own account. */
export function createAccount(dependencies: AccountDependencies) {
  const { pool, store, users, guard, twoFactor, sessions, notices, clock } = dependencies;
  async function describe(caller: Caller): Promise<Account> {
    const user = await guard.find(caller.userId);
    const factor = await twoFactor.find(caller.userId);
    return {
      username: user.username,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      roles: [...caller.roles],
      twoFactor: factor ? { enrolledTimestamp: Math.floor(factor.enrolledAt), recoveryCodesLeft: factor.recoveryCodesLeft } : null,
      mustEnrolTwoFactor: caller.mustEnrolTwoFactor ?? false,
      mustChangePassword: user.mustChangePassword,
    };
  }

  async function changePassword(caller: Caller, currentPassword: string, newPassword: string): Promise<void> {
    await sessions.confirmPassword(caller, currentPassword);
    if (newPassword === currentPassword) throw invalid("newPassword", "this is the current password");
    const user = await guard.find(caller.userId);
    const context = [user.username, user.firstName, user.lastName, user.email];
    const problem = passwordProblem(newPassword, { isAdministrator: user.administrator, context });
    if (problem !== undefined) throw invalid("newPassword", problem);
    const passwordHash = await hashPassword(newPassword);
    const forgetSessions = await inTransaction(pool, async (client) => {
      await users.updatePassword(client, user.id, passwordHash, false);
      await notices.passwordChanged(client, user, false);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "PATCH_OWN_PASSWORD",
        object: userObject(caller.userId),
        description: "Changed their own password",
      });
      return await sessions.endAllOf(client, user.id, "password changed", caller.sessionId);
    });
    forgetSessions();
  }

  async function listSessions(caller: Caller): Promise<AccountSession[]> {
    const living = await store.findLivingSessions(caller.userId, caller.sessionId, clock.now() / 1000, sessions.idleSeconds);
    return living
      .toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
      .map((session) => ({
        id: session.id,
        signedInTimestamp: Math.floor(session.signedInAt),
        lastUsedTimestamp: Math.floor(session.lastUsedAt),
        expiryTimestamp: Math.floor(session.expiresAt),
        remoteAddress: session.remoteAddress,
        userAgent: session.userAgent,
        isCurrent: session.isCurrent,
      }));
  }

  async function endSession(caller: Caller, sessionId: string): Promise<void> {
    const ended = await inTransaction(pool, async (client) => {
      const ids = await store.endSignIn(client, caller.userId, sessionId, clock.now() / 1000);
      if (ids.length === 0) throw notFound("Session");
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "END_SESSION",
        object: userObject(caller.userId),
        description: "Ended an own session",
      });
      return ids;
    });
    sessions.forget(ended);
  }

  async function endOthers(caller: Caller): Promise<number> {
    const others = (await listSessions(caller)).filter(({ isCurrent }) => !isCurrent);
    const forgetSessions = await inTransaction(pool, async (client) => {
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "END_SESSION",
        object: userObject(caller.userId),
        description: `Ended ${counted(others.length, "other own session")}`,
      });
      return await sessions.endAllOf(client, caller.userId, "ended by its owner", caller.sessionId);
    });
    forgetSessions();
    return others.length;
  }

  return { describe, changePassword, listSessions, endSession, endOthers };
}
export type AccountService = ReturnType<typeof createAccount>;
