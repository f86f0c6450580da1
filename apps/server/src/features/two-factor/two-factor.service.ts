import { errorCodes } from "@busbar/contract/errors.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, tooManyRequests } from "#lib/errors.ts";
import { hashRecoveryCode, isRecoveryCode } from "#lib/recovery-codes.ts";
import { totpStep } from "#lib/totp.ts";
import type { NewActivity } from "#features/activities/activities.store.ts";
import type { TotpState, TwoFactorStore } from "./two-factor.store.ts";

export const wrongTriesUntilLock = 5;
export const lockSeconds = 15 * 60;

export interface TwoFactorDependencies {
  store: TwoFactorStore;
  clock: Clock;
  recordActivity: (activity: NewActivity) => Promise<void>;
}

type Verdict = "right" | "recovered" | "wrong" | "used" | "now locked" | "locked" | "not enrolled";

/** SEC-03: codes of the signed-in administrator, one use each, attempts limited. */
export function createTwoFactor({ store, clock, recordActivity }: TwoFactorDependencies) {
  return {
    /**
     * Uses up a code of the caller, of the authenticator or a recovery code. Call it after everything else that can be refused was checked: a code spent is spent.
     * @throws AppError 403 when the code is wrong, was used, or there is no second factor; 429 while locked
     */
    async usePasscode(caller: Pick<Caller, "userId" | "username">, code: string): Promise<void> {
      const now = clock.now();
      const recoveryHash = isRecoveryCode(code) ? hashRecoveryCode(code) : undefined;
      const { verdict, lockedUntil } = await store.change(caller.userId, recoveryHash, (state, isRecoveryCodeRight) =>
        judge(state, isRecoveryCodeRight ? recoveryHash : undefined, code, now),
      );
      if (verdict === "right") return;
      if (verdict === "recovered") {
        await recordActivity({
          actorType: "User",
          actor: caller.username,
          action: "USE_RECOVERY_CODE",
          description: "Used a recovery code",
        });
        return;
      }
      if (verdict === "now locked") {
        await recordActivity({
          actorType: "User",
          actor: caller.username,
          action: "PASSCODE_LOCKED",
          description: `${wrongTriesUntilLock} wrong 2FA codes in a row`,
        });
      }
      throw refusal(verdict, (lockedUntil ?? 0) - now / 1000);
    },
  };
}
export type TwoFactor = ReturnType<typeof createTwoFactor>;

function judge(
  state: TotpState | undefined,
  rightRecoveryHash: Buffer | undefined,
  code: string,
  nowMs: number,
): { next: TotpState | undefined; result: { verdict: Verdict; lockedUntil: number | null } } {
  const now = nowMs / 1000;
  if (!state) return { next: undefined, result: { verdict: "not enrolled", lockedUntil: null } };
  if (state.lockedUntil !== null && state.lockedUntil > now)
    return { next: undefined, result: { verdict: "locked", lockedUntil: state.lockedUntil } };
  if (rightRecoveryHash) {
    return {
      next: { ...state, failedCount: 0, lockedUntil: null, usedRecoveryHash: rightRecoveryHash },
      result: { verdict: "recovered", lockedUntil: null },
    };
  }
  const step = totpStep(state.secret, code, nowMs);
  if (step === undefined) {
    const failedCount = state.failedCount + 1;
    const isLocked = failedCount >= wrongTriesUntilLock;
    const lockedUntil = isLocked ? now + lockSeconds : null;
    return {
      next: { ...state, failedCount: isLocked ? 0 : failedCount, lockedUntil },
      result: { verdict: isLocked ? "now locked" : "wrong", lockedUntil },
    };
  }
  if (step <= state.lastUsedStep) return { next: undefined, result: { verdict: "used", lockedUntil: null } };
  return { next: { ...state, lastUsedStep: step, failedCount: 0, lockedUntil: null }, result: { verdict: "right", lockedUntil: null } };
}

function refusal(verdict: Exclude<Verdict, "right" | "recovered">, secondsLeft: number): AppError {
  const refused = (message: string) => new AppError(403, errorCodes.passcodeRefused, message);
  switch (verdict) {
    case "not enrolled":
      return refused("Your account has no two-factor authentication yet. Set it up first");
    case "wrong":
      return refused("The 2FA code is not right");
    case "used":
      return refused("This 2FA code was already used. Wait for the next one");
    case "locked":
    case "now locked":
      return tooManyRequests(
        `Too many wrong 2FA codes. Try again in ${Math.ceil(secondsLeft / 60)} min`,
        Math.max(1, Math.ceil(secondsLeft)),
      );
  }
}
