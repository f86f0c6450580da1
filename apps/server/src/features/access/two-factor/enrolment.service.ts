import { enrolmentMinutes } from "@busbar/contract/access/two-factor.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { SessionService } from "#features/access/session/session.service.ts";
import type { UserGuard } from "#features/access/users/user-guard.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, invalid } from "#lib/errors.ts";
import { hashRecoveryCode, newRecoveryCodes } from "#lib/recovery-codes.ts";
import { newTotpSecret, otpauthAddress, totpStep } from "#lib/totp.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import { twoFactorResetMessage } from "./two-factor-mail.ts";
import type { TwoFactor } from "./two-factor.service.ts";
import type { TwoFactorStore } from "./two-factor.store.ts";

export interface EnrolmentDependencies {
  pool: Pool;
  store: TwoFactorStore;
  twoFactor: TwoFactor;
  sessions: Pick<SessionService, "confirmPassword" | "endAllOf">;
  guard: UserGuard;
  mail: Mail;
  clock: Clock;
}

/** SEC-03: setting up one's own second factor, and taking someone else's away. */
export function createEnrolment(dependencies: EnrolmentDependencies) {
  const { pool, store, twoFactor, sessions, guard, mail, clock } = dependencies;
  const nowSeconds = () => clock.now() / 1000;

  async function begin(caller: Caller, request: { password: string; code?: string | undefined }) {
    await sessions.confirmPassword(caller, request.password);
    if (await store.find(caller.userId)) {
      if (request.code === undefined) throw invalid("code", "a 2FA code of your present authenticator, or a recovery code, is required");
      await twoFactor.usePasscode(caller, request.code);
    }
    const secret = newTotpSecret();
    await store.saveEnrolment(caller.userId, { secret, createdAt: nowSeconds() });
    return { secret, otpauthAddress: otpauthAddress(secret, caller.username) };
  }

  async function confirm(caller: Caller, code: string): Promise<string[]> {
    const recoveryCodes = newRecoveryCodes();
    const forgetSessions = await inTransaction(pool, async (client) => {
      const pending = await store.lockEnrolment(client, caller.userId);
      const now = nowSeconds();
      if (!pending || now - pending.createdAt > enrolmentMinutes * 60)
        throw conflict(`There is nothing to confirm, or it is older than ${enrolmentMinutes} min. Please begin again`);
      const step = totpStep(pending.secret, code, clock.now());
      if (step === undefined) throw invalid("code", "this is not the code that your authenticator shows now. Is its clock right?");
      await store.enrol(client, caller.userId, pending.secret, step, now);
      await store.replaceRecoveryCodes(client, caller.userId, recoveryCodes.map(hashRecoveryCode));
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "ENROL_TWO_FACTOR",
        object: userObject(caller.userId),
        description: "Set up two-factor authentication",
      });
      return await sessions.endAllOf(client, caller.userId, "second factor changed", caller.sessionId);
    });
    forgetSessions();
    return recoveryCodes;
  }

  async function replaceRecoveryCodes(caller: Caller, code: string): Promise<string[]> {
    await twoFactor.usePasscode(caller, code);
    const recoveryCodes = newRecoveryCodes();
    await inTransaction(pool, async (client) => {
      await store.replaceRecoveryCodes(client, caller.userId, recoveryCodes.map(hashRecoveryCode));
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "REPLACE_RECOVERY_CODES",
        object: userObject(caller.userId),
        description: "Made new recovery codes",
      });
    });
    return recoveryCodes;
  }

  async function reset(caller: Caller, userId: number, code: string): Promise<void> {
    const user = await guard.find(userId);
    if (!(await store.find(userId))) throw conflict(`${user.username} has no two-factor authentication`);
    await twoFactor.usePasscode(caller, code);
    const forgetSessions = await inTransaction(pool, async (client) => {
      const locked = await guard.lock(client, caller, userId);
      if (!(await store.remove(client, userId))) throw conflict(`${locked.username} has no two-factor authentication`);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "RESET_TWO_FACTOR",
        object: userObject(userId),
        description: `Took away the second factor of ${locked.username}`,
      });
      await mail.enqueue(client, twoFactorResetMessage(locked));
      return await sessions.endAllOf(client, userId, "second factor reset");
    });
    forgetSessions();
  }

  return { begin, confirm, replaceRecoveryCodes, reset };
}
export type Enrolment = ReturnType<typeof createEnrolment>;
