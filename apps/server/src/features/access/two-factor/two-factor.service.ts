import { errorCodes } from "@busbar/contract/errors.ts";
import type { Pool } from "pg";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, tooManyRequests } from "#lib/errors.ts";
import { hashRecoveryCode, isRecoveryCode } from "#lib/recovery-codes.ts";
import { totpStep } from "#lib/totp.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import type { TotpState, TwoFactorStore } from "./two-factor.store.ts";

export const wrongTriesUntilLock = 5;
export const lockSeconds = 15 * 60;

export interface TwoFactorDependencies {
  pool: Pool;
  store: TwoFactorStore;
  clock: Clock;
}

type Verdict = "right" | "recovered" | "wrong" | "used" | "now locked" | "locked" | "not enrolled";

/** SEC-03: codes of the signed-in administrator, one use each, attempts limited. */
export function createTwoFactor({ pool, store, clock }: TwoFactorDependencies) {
  return {
    /**
     * The same at sign-in, which limits tries by who guesses: a stranger who knows the password must not lock the owner's codes.
     * @throws AppError 403
     */
    async checkPasscode(caller: Pick<Caller, "userId" | "username">, code: string): Promise<void> {
      await spend(caller, code, judge);
    },

    /**
     * Uses up a code of the caller, of the authenticator or a recovery code. Call it after everything else that can be refused was checked: a code spent is spent.
     * @throws AppError 403 when the code is wrong, was used, or there is no second factor; 429 while locked
     */
    async usePasscode(caller: Pick<Caller, "userId" | "username">, code: string): Promise<void> {
      await spend(caller, code, judgeAndCount);
    },
  };

  async function spend(caller: Pick<Caller, "userId" | "username">, code: string, decide: Judge): Promise<void> {
    const now = clock.now();
    const recoveryHash = isRecoveryCode(code) ? hashRecoveryCode(code) : undefined;
    const { verdict, lockedUntil } = await store.change(caller.userId, recoveryHash, (state, isRecoveryCodeRight) =>
      decide(state, isRecoveryCodeRight ? recoveryHash : undefined, code, now),
    );
    if (verdict === "right") return;
    const record = (action: "USE_RECOVERY_CODE" | "PASSCODE_LOCKED", description: string) =>
      recordActivity(pool, { actorType: "User", actor: caller.username, action, object: userObject(caller.userId), description });
    if (verdict === "recovered") return await record("USE_RECOVERY_CODE", "Used a recovery code");
    if (verdict === "now locked") await record("PASSCODE_LOCKED", `${wrongTriesUntilLock} wrong 2FA codes in a row`);
    throw refusal(verdict, (lockedUntil ?? 0) - now / 1000);
  }
}
export type TwoFactor = ReturnType<typeof createTwoFactor>;

type Judge = (
  state: TotpState | undefined,
  rightRecoveryHash: Buffer | undefined,
  code: string,
  nowMs: number,
) => { next: TotpState | undefined; result: { verdict: Verdict; lockedUntil: number | null } };

const unchanged = (verdict: Verdict, lockedUntil: number | null = null) => ({ next: undefined, result: { verdict, lockedUntil } });

const judge: Judge = (state, rightRecoveryHash, code, nowMs) => {
  if (!state) return unchanged("not enrolled");
  const right = { verdict: "right", lockedUntil: null } as const;
  if (rightRecoveryHash) return { next: { ...state, usedRecoveryHash: rightRecoveryHash }, result: { ...right, verdict: "recovered" } };
  const step = totpStep(state.secret, code, nowMs);
  if (step === undefined) return unchanged("wrong");
  return step <= state.lastUsedStep ? unchanged("used") : { next: { ...state, lastUsedStep: step }, result: right };
};

const judgeAndCount: Judge = (state, rightRecoveryHash, code, nowMs) => {
  const now = nowMs / 1000;
  if (state && state.lockedUntil !== null && state.lockedUntil > now) return unchanged("locked", state.lockedUntil);
  const { next, result } = judge(state, rightRecoveryHash, code, nowMs);
  if (next) return { next: { ...next, failedCount: 0, lockedUntil: null }, result };
  if (!state || result.verdict !== "wrong") return { next, result };
  const failedCount = state.failedCount + 1;
  if (failedCount < wrongTriesUntilLock) return { next: { ...state, failedCount, lockedUntil: null }, result };
  const lockedUntil = now + lockSeconds;
  return { next: { ...state, failedCount: 0, lockedUntil }, result: { verdict: "now locked", lockedUntil } };
};

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
