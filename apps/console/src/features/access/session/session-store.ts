import type { CookieJar } from "#lib/cookies.ts";
import { readToken, sessionStep, type TokenClaims } from "./session-token.ts";

// Names and lifetimes: console-1 section 9, SES-01
export const tokenCookie = "admin-token";
export const rolesCookie = "admin-roles";
export const tokenDays = 0.020_85;

export interface Session {
  token: string;
  roles: readonly string[];
  claims: TokenClaims;
}

/**
 * The session of this browser: in memory, and in two cookies that all tabs share.
 * @param notifyOtherTabs gets why a session ended that no one ended here
 * @param hasUnsaved whether something that was typed would go with the screen
 */
export function createSessionStore(
  cookies: CookieJar,
  notifyOtherTabs: (whyOver: string | undefined) => void,
  hasUnsaved: () => boolean = () => false,
) {
  let current = restored();
  let held: Session | undefined;
  let whyOver: string | undefined;
  const listeners = new Set<() => void>();

  function restored(): Session | undefined {
    const token = cookies.read(tokenCookie);
    const claims = token === undefined ? undefined : readToken(token);
    return token !== undefined && claims ? { token, roles: parseRoles(cookies.read(rolesCookie)), claims } : undefined;
  }

  function change(session: Session | undefined): void {
    if (session?.token === current?.token) return;
    held = !session && whyOver !== undefined && hasUnsaved() ? current : undefined;
    current = session;
    for (const listener of listeners) listener();
  }

  function writeCookies({ token, roles }: Pick<Session, "token" | "roles">): void {
    cookies.write(rolesCookie, JSON.stringify(roles), tokenDays);
    cookies.write(tokenCookie, token, tokenDays);
  }

  const store = {
    get: (): Session | undefined => current,

    /** Decision 0052: whose screen waits below the sign-in, with what is not saved. Nothing can be asked with it. */
    held: (): Session | undefined => held,

    /** The screen is gone, and what was typed with it. */
    letGo: (): void => {
      if (!held) return;
      held = undefined;
      for (const listener of listeners) listener();
    },

    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    set: (token: string, roles: readonly string[]): void => {
      const claims = readToken(token);
      if (!claims) throw new Error("The server's token cannot be read");
      writeCookies({ token, roles });
      whyOver = undefined;
      change({ token, roles, claims });
      notifyOtherTabs(undefined);
    },

    /**
     * SES-04: both cookies, the token and the roles.
     * @param why no one asked for it: the session came to its end
     */
    clear: (why?: string): void => {
      cookies.remove(tokenCookie);
      cookies.remove(rolesCookie);
      if (!current) return;
      whyOver = why;
      change(undefined);
      notifyOtherTabs(why);
    },

    /** SES-01: re-extended while the console is open; a cookie that another tab removed stays removed. */
    extendCookies: (): void => {
      if (current && cookies.read(tokenCookie) !== undefined) writeCookies(current);
    },

    /** Another tab may have signed out or refreshed; the cookie may have run out while the machine slept. */
    followCookies: (why?: string): void => {
      const present = restored();
      if (current && !present) whyOver = why;
      change(present);
    },

    /** The server says that a token is over: that one may be older than this browser's, which another tab has refreshed. */
    endedFor: (token: string | undefined, why: string): void => {
      const present = restored();
      if (token !== undefined && present && present.token !== token) change(present);
      else store.clear(why);
    },

    /** Why the last session ended without the person's doing. */
    whyOver: (): string | undefined => whyOver,

    /** SES-05 */
    validToken: (nowSeconds: number): string | undefined =>
      current && sessionStep(current.claims, nowSeconds) !== "clear" ? current.token : undefined,
  };
  return store;
}
export type SessionStore = ReturnType<typeof createSessionStore>;

function parseRoles(text: string | undefined): string[] {
  try {
    const roles: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [];
  } catch {
    return []; // an edited cookie; roles only decide what the menu shows
  }
}
