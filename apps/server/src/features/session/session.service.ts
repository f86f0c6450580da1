import { randomUUID } from "node:crypto";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { StaffRole } from "@busbar/contract/option-lists.ts";
import type { SessionToken } from "@busbar/contract/session.ts";
import type { PoolClient } from "pg";
import type { Authenticate, Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, forbidden, invalid, tooManyRequests, unauthorized } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { TooBusyError, verifyPassword } from "#lib/passwords.ts";
import type { NewActivity } from "#features/activities/activities.store.ts";
import type { TwoFactor } from "#features/two-factor/two-factor.service.ts";
import type { LoginAttemptStore } from "./login-attempt.store.ts";
import { createLoginLimiter } from "./login-limiter.ts";
import { createSessionLookup, databaseUnavailable } from "./session-lookup.ts";
import type { TokenSigner } from "./session-token.ts";
import type { LoginUser, NewSession, SessionRow, SessionStore } from "./session.store.ts";

const absoluteSeconds = 24 * 3_600;
const idleSeconds = 30 * 60;
const graceSeconds = 30;
const touchSeconds = 60;

export interface Login {
  username?: string | undefined;
  email?: string | undefined;
  password: string;
  duration: number;
  /** 2FA code of the second step. */
  code?: string | undefined;
}

/** Who needs a second factor to sign in. */
export type LoginTwoFactor = "off" | "systemAdministrator" | "all";

export interface Origin {
  remoteAddress: string;
  userAgent: string;
}

export interface SessionDependencies {
  store: SessionStore;
  loginAttempts: LoginAttemptStore;
  signer: TokenSigner;
  clock: Clock;
  log: Log;
  /** Known from elsewhere, so that calls need not wait for a database that does not answer. */
  isDatabaseAway: () => boolean;
  recordActivity: (activity: NewActivity) => Promise<void>;
  twoFactor: Pick<TwoFactor, "usePasscode">;
  loginTwoFactor: LoginTwoFactor;
}

export function createSessionService(dependencies: SessionDependencies) {
  const { store, loginAttempts, signer, clock, log, isDatabaseAway, recordActivity, twoFactor, loginTwoFactor } = dependencies;
  const lookup = createSessionLookup(store, clock, isDatabaseAway);
  const limiter = createLoginLimiter(loginAttempts, clock);
  const nowSeconds = () => clock.now() / 1000;

  async function login(request: Login, origin: Origin): Promise<SessionToken> {
    const kind = request.username === undefined ? "email" : "username";
    const entry = request[kind]?.toLowerCase();
    if (entry === undefined) throw invalid("username", "a username or an e-mail is required");
    if (isDatabaseAway()) throw databaseUnavailable();
    await limiter.admit(entry, origin.remoteAddress);
    const user = await store.findLoginUser(kind, entry);
    const isRight = await verify(user, request.password, entry);
    if (!isRight || !user?.isActive || !user.isAdministrator || user.passwordHash === null) throw await refused(entry, origin);
    await checkSecondFactor(user, request.code, entry, origin);
    const now = nowSeconds();
    const session = newSession(user.id, user.roles, now, now, request.duration, origin);
    if (!(await store.insertSession(session, user.passwordHash))) throw await refused(entry, origin);
    await limiter.succeeded(entry);
    await recordActivity({
      actorType: "User",
      actor: user.username,
      action: "LOGIN",
      description: `Signed in from ${origin.remoteAddress}`,
    });
    return tokenOf(session, user);
  }

  async function refused(entry: string, origin: Origin): Promise<AppError> {
    await recordRefusal(entry, `Sign-in refused from ${origin.remoteAddress}`);
    return new AppError(401, errorCodes.loginFailed, "Username or password is incorrect");
  }

  /** Only after the right password: who does not know it learns nothing about the second factor. */
  async function checkSecondFactor(user: LoginUser, code: string | undefined, entry: string, origin: Origin): Promise<void> {
    // Who has none yet is let in to set it up, and to nothing else: see `mustEnrolTwoFactor`.
    if (!isTwoFactorNeeded(user.roles) || !user.hasTwoFactor) return;
    if (code === undefined) {
      await limiter.giveBack(entry);
      throw new AppError(401, errorCodes.passcodeRequired, "Please enter your 2FA code");
    }
    try {
      await twoFactor.usePasscode({ userId: user.id, username: user.username }, code);
    } catch (error) {
      // Somebody knows the password: of all refused tries the one to look at.
      if (error instanceof AppError)
        await recordRefusal(user.username, `Right password and no right 2FA code from ${origin.remoteAddress}`);
      throw error;
    }
  }

  const recordRefusal = (actor: string, description: string) =>
    recordActivity({ actorType: "User", actor: actor.slice(0, 64), action: "LOGIN_FAILED", description });

  function isTwoFactorNeeded(roles: readonly string[]): boolean {
    if (loginTwoFactor === "systemAdministrator") return roles.includes("systemAdministrator" satisfies StaffRole);
    return loginTwoFactor === "all";
  }

  /** Whether the caller knows the own password; wrong ones count like those at sign-in. @throws AppError 403, 429 */
  async function confirmPassword(caller: Caller, password: string, origin: Origin): Promise<void> {
    await limiter.admit(caller.username, origin.remoteAddress);
    const user = await store.findLoginUser("username", caller.username);
    if (!(await verify(user, password, caller.username))) throw forbidden("Your current password is not right", "currentPassword");
    await limiter.succeeded(caller.username);
  }

  async function verify(user: LoginUser | undefined, password: string, entry: string): Promise<boolean> {
    try {
      return await verifyPassword(user?.passwordHash, password);
    } catch (error) {
      await limiter.giveBack(entry);
      if (error instanceof TooBusyError) throw tooManyRequests("Too many sign-ins at the moment. Please try again", 2);
      throw error;
    }
  }

  async function refresh(caller: Caller, duration: number, origin: Origin): Promise<SessionToken> {
    const old = await lookup.find(caller.sessionId, false);
    if (!old) throw hasEnded();
    const now = nowSeconds();
    const session = newSession(old.userId, old.userRoles, old.signedInAt, now, duration, origin);
    const isReplaced = await store.replaceSession(old.id, session, now + graceSeconds);
    lookup.forget([old.id]);
    if (!isReplaced) throw hasEnded();
    await recordActivity({ actorType: "User", actor: old.username, action: "SESSION_REFRESH", description: "Session refreshed" });
    return tokenOf(session, old);
  }

  async function revoke(caller: Caller): Promise<void> {
    const ended = await store.endSignIn(caller.userId, caller.sessionId, nowSeconds(), "logout");
    lookup.forget(ended);
    await recordActivity({ actorType: "User", actor: caller.username, action: "LOGOUT", description: "Signed out" });
  }

  const authenticate: Authenticate = async (token, { mayBeStale }) => {
    const now = nowSeconds();
    const claims = await signer.verify(token, now);
    if (!claims) throw hasEnded();
    const session = await lookup.find(claims.sessionId, mayBeStale);
    if (!session || !isAlive(session, now)) throw hasEnded();
    touch(session, now);
    return {
      sessionId: session.id,
      userId: session.userId,
      username: session.username,
      roles: session.roles,
      mustEnrolTwoFactor: isTwoFactorNeeded(session.userRoles) && !session.hasTwoFactor,
      mustChangePassword: session.mustChangePassword,
      isDemoUser: session.isDemoUser,
    };
  };

  function touch(session: SessionRow, now: number): void {
    if (now - session.lastUsedAt < touchSeconds) return;
    session.lastUsedAt = now;
    // Not worth failing a call for: the next one tries again.
    store.touchSession(session.id, now).catch((error: Error) => log.debug({ err: error }, "session not touched"));
  }

  async function tokenOf(session: NewSession, user: { username: string; name: string }): Promise<SessionToken> {
    const token = await signer.sign({
      sessionId: session.id,
      username: user.username,
      name: user.name || user.username,
      issuedAt: Math.floor(session.issuedAt),
      expiresAt: Math.floor(session.expiresAt),
    });
    return { token, roles: session.roles };
  }

  /**
   * Ends a user's sessions within the caller's transaction: suspended, deleted, with a new password or second factor.
   * Call the result after the commit, so that this process forgets what it knew of them.
   */
  async function endAllOf(client: PoolClient, userId: number, reason: string, exceptSessionId?: string): Promise<() => void> {
    const ended = await store.endSessionsOfUser(client, userId, nowSeconds(), reason, exceptSessionId);
    return () => lookup.forget(exceptSessionId === undefined ? ended : [...ended, exceptSessionId]);
  }

  return {
    login,
    refresh,
    revoke,
    authenticate,
    confirmPassword,
    endAllOf,
    forget: (ids: readonly string[]) => lookup.forget(ids),
    idleSeconds,
  };
}
export type SessionService = ReturnType<typeof createSessionService>;

const hasEnded = () => unauthorized("Your session has ended. Please sign in again");

// 24 h from sign-in is the end, whatever duration is asked and however often it is refreshed.
function newSession(userId: number, roles: string[], signedInAt: number, now: number, duration: number, origin: Origin): NewSession {
  return {
    id: randomUUID(),
    userId,
    roles,
    signedInAt,
    issuedAt: now,
    expiresAt: Math.min(now + duration, signedInAt + absoluteSeconds),
    ...origin,
  };
}

function isAlive(session: SessionRow, now: number): boolean {
  return (
    session.isUserActive &&
    session.expiresAt > now &&
    now - session.lastUsedAt < idleSeconds &&
    (session.endsAt === null || session.endsAt > now)
  );
}
