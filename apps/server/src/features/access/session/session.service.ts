import { createHmac, randomUUID } from "node:crypto";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { StaffRole } from "@busbar/contract/values/option-lists.ts";
import type { SessionToken } from "@busbar/contract/access/session.ts";
import type { Pool, PoolClient } from "pg";
import type { Cookies } from "#http/cookies.ts";
import type { Authenticate, Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, forbidden, invalid, tooManyRequests, unauthorized } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { TooBusyError, verifyPassword } from "#lib/passwords.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { deviceDays, type KnownDeviceStore } from "./known-device.store.ts";
import { createLoginLimiter, type Guess } from "./login-limiter.ts";
import { endedSentence } from "./ended-sentence.ts";
import { createSessionLookup, databaseUnavailable } from "./session-lookup.ts";
import type { TokenSigner } from "./session-token.ts";
import type { LoginUser, NewSession, SessionRow, SessionStore } from "./session.store.ts";
import type { SignInTriesStore } from "./sign-in-tries.store.ts";

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

export interface SignInOrigin extends Origin {
  cookies: Cookies;
}

export interface SessionDependencies {
  pool: Pool;
  store: SessionStore;
  tries: SignInTriesStore;
  devices: KnownDeviceStore;
  /** Makes the names of the cookies by which devices are known. */
  deviceKey: Uint8Array;
  /** How many sign-ins of one person live at a time. */
  mostSignIns: number;
  signer: TokenSigner;
  clock: Clock;
  log: Log;
  /** Known from elsewhere, so that calls need not wait for a database that does not answer. */
  isDatabaseAway: () => boolean;
  twoFactor: Pick<TwoFactor, "checkPasscode">;
  loginTwoFactor: LoginTwoFactor;
}

export function createSessionService(dependencies: SessionDependencies) {
  const { pool, store, tries, devices, deviceKey, mostSignIns, signer, clock, log, isDatabaseAway, twoFactor, loginTwoFactor } =
    dependencies;
  const lookup = createSessionLookup(store, clock, isDatabaseAway);
  const limiter = createLoginLimiter(tries, clock);
  const nowSeconds = () => clock.now() / 1000;
  const hasEnded = (session: SessionRow | undefined): AppError => unauthorized(endedSentence(session, mostSignIns));

  async function login(request: Login, origin: SignInOrigin): Promise<SessionToken> {
    const kind = request.username === undefined ? "email" : "username";
    const entry = request[kind]?.toLowerCase();
    if (entry === undefined) throw invalid("username", "a username or an e-mail is required");
    if (isDatabaseAway()) throw databaseUnavailable();
    const user = await store.findLoginUser(kind, entry);
    const guess: Guess = {
      userId: user?.id,
      entry,
      remoteAddress: origin.remoteAddress,
      deviceId: await knownDevice(user, origin.cookies),
    };
    return await limiter.during(guess, () => signIn(request, entry, user, guess, origin));
  }

  async function signIn(
    request: Login,
    entry: string,
    user: LoginUser | undefined,
    guess: Guess,
    origin: SignInOrigin,
  ): Promise<SessionToken> {
    const isRight = await verify(user, request.password, () => limiter.giveBack(guess));
    if (!isRight || !user?.isActive || !user.isAdministrator || user.passwordHash === null) throw await refused(entry, origin);
    await checkSecondFactor(user, request.code, guess);
    const now = nowSeconds();
    const session = newSession(user.id, user.roles, now, now, request.duration, origin);
    const inserted = await store.insertSession(session, user.passwordHash, {
      most: mostSignIns,
      idleSeconds,
      alsoDo: (client) => devices.remember(client, guess.deviceId, user.id, now),
    });
    if (!inserted) throw await refused(entry, origin);
    lookup.forget(inserted.ended);
    origin.cookies.write(deviceCookie(user.id), inserted.done, deviceDays);
    await limiter.giveBack(guess);
    await recordActivity(pool, {
      actorType: "User",
      actor: user.username,
      action: "LOGIN",
      description: `Signed in from ${origin.remoteAddress}`,
    });
    return tokenOf(session, user);
  }

  /** A cookie for each person: several may use a browser, and cookies of servers on one host are kept side by side. */
  const deviceCookie = (userId: number): string =>
    `busbar-device-${createHmac("sha256", deviceKey).update(String(userId)).digest("hex").slice(0, 12)}`;

  async function knownDevice(user: LoginUser | undefined, cookies: Cookies): Promise<string | undefined> {
    const token = user && cookies.read(deviceCookie(user.id));
    return user && token !== undefined ? await devices.find(token, user.id, nowSeconds()) : undefined;
  }

  async function refused(entry: string, origin: Origin): Promise<AppError> {
    await recordRefusal(entry, `Sign-in refused from ${origin.remoteAddress}`);
    return new AppError(401, errorCodes.loginFailed, "Username or password is incorrect");
  }

  /** Only after the right password: who does not know it learns nothing about the second factor. */
  async function checkSecondFactor(user: LoginUser, code: string | undefined, guess: Guess): Promise<void> {
    // Who has none yet is let in to set it up, and to nothing else: see `mustEnrolTwoFactor`.
    if (!isTwoFactorNeeded(user.roles) || !user.hasTwoFactor) return;
    if (code === undefined) {
      await limiter.giveBack(guess);
      throw new AppError(401, errorCodes.passcodeRequired, "Please enter your 2FA code");
    }
    try {
      await twoFactor.checkPasscode({ userId: user.id, username: user.username }, code);
    } catch (error) {
      // Someone knows the password: of all refused tries the one to look at.
      if (error instanceof AppError) await recordRefusal(user.username, `Right password and no right 2FA code from ${guess.remoteAddress}`);
      throw error;
    }
  }

  const recordRefusal = (actor: string, description: string) =>
    recordActivity(pool, { actorType: "User", actor: actor.slice(0, 64), action: "LOGIN_FAILED", description });

  function isTwoFactorNeeded(roles: readonly string[]): boolean {
    if (loginTwoFactor === "systemAdministrator") return roles.includes("systemAdministrator" satisfies StaffRole);
    return loginTwoFactor === "all";
  }

  /** Whether the caller knows their own password; wrong ones count for this sign-in alone. @throws AppError 403, 429 */
  async function confirmPassword(caller: Caller, password: string): Promise<void> {
    const session = await lookup.find(caller.sessionId, false);
    if (!session) throw hasEnded(session);
    const name = `${caller.userId}/${session.signedInAt}`;
    await limiter.duringOwner(name, async () => {
      const user = await store.findLoginUser("username", caller.username);
      if (!(await verify(user, password, () => limiter.giveBackOwner(name))))
        throw forbidden("Your current password is not right", "currentPassword");
      await limiter.giveBackOwner(name);
    });
  }

  async function verify(user: LoginUser | undefined, password: string, giveBack: () => Promise<void>): Promise<boolean> {
    try {
      return await verifyPassword(user?.passwordHash, password);
    } catch (error) {
      await giveBack();
      if (error instanceof TooBusyError) throw tooManyRequests("Too many sign-ins at the moment. Please try again", 2);
      throw error;
    }
  }

  async function refresh(caller: Caller, duration: number, origin: Origin): Promise<SessionToken> {
    const old = await lookup.find(caller.sessionId, false);
    if (!old) throw hasEnded(old);
    const now = nowSeconds();
    const session = newSession(old.userId, old.userRoles, old.signedInAt, now, duration, origin);
    const successorId = await store.replaceSession(old.id, session, now + graceSeconds);
    lookup.forget([old.id]);
    if (successorId === undefined) throw hasEnded(await lookup.find(old.id, false));
    if (successorId !== session.id) return await sameSuccessor(successorId, now);
    await recordActivity(pool, { actorType: "User", actor: old.username, action: "SESSION_REFRESH", description: "Session refreshed" });
    return tokenOf(session, old);
  }

  /** Two tabs that refresh at the same moment, or one whose answer was lost, get the one token. */
  async function sameSuccessor(id: string, now: number): Promise<SessionToken> {
    const successor = await lookup.find(id, false);
    if (!successor || !isAlive(successor, now)) throw hasEnded(successor);
    return tokenOf(successor, successor);
  }

  /** A token that was replaced is tried again: someone has a copy. No one can tell whose is which, so all of them end. */
  async function endReused(session: SessionRow): Promise<void> {
    const ended = await store.endSignIn(session.userId, session.id, nowSeconds(), "reused");
    lookup.forget(ended);
    await recordActivity(pool, {
      actorType: "User",
      actor: session.username,
      action: "SESSION_REUSED",
      description: "A replaced token was used to refresh again: the sign-in was ended",
    });
  }

  async function revoke(caller: Caller): Promise<void> {
    const ended = await store.endSignIn(caller.userId, caller.sessionId, nowSeconds(), "logout");
    lookup.forget(ended);
    await recordActivity(pool, { actorType: "User", actor: caller.username, action: "LOGOUT", description: "Signed out" });
  }

  const authenticate: Authenticate = async (token, { mayBeStale, isRefresh }) => {
    const now = nowSeconds();
    const claims = await signer.verify(token, now);
    if (!claims) throw hasEnded(undefined);
    const session = await lookup.find(claims.sessionId, mayBeStale);
    if (!session || !isAlive(session, now)) {
      if (isRefresh && session?.endReason === "refreshed") await endReused(session);
      throw hasEnded(session);
    }
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

  async function tokenOf(
    session: Pick<NewSession, "id" | "issuedAt" | "expiresAt" | "roles">,
    user: { username: string; name: string },
  ): Promise<SessionToken> {
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
