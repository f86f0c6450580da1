import { useSyncExternalStore } from "react";
import { readCookie, removeCookie, writeCookie } from "#lib/cookies.ts";
import { readToken, sessionStep } from "./session-token.ts";
import type { TokenClaims } from "./session-token.ts";

// Names and lifetimes: console-1 section 9, SES-01, LOG-09
const tokenCookie = "admin-token";
const rolesCookie = "admin-roles";
const usernameCookie = "admin-username";
const serverCookie = "admin-remoteserver";
const tokenDays = 0.020_85;
const rememberedDays = 30;

export interface Session {
  token: string;
  roles: readonly string[];
  claims: TokenClaims;
}

let current: Session | undefined = restore();
const listeners = new Set<() => void>();
// Tabs share the cookies; this tells the others at once. An object's absence in old browsers only delays them to the next check.
const tabs = new BroadcastChannel("busbar-session");
tabs.addEventListener("message", () => change(restore()));

function restore(): Session | undefined {
  const token = readCookie(tokenCookie);
  if (!token) return undefined;
  const claims = readToken(token);
  return claims && { token, roles: parseRoles(readCookie(rolesCookie)), claims };
}

function parseRoles(text: string | undefined): string[] {
  try {
    const roles: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [];
  } catch {
    return []; // an edited cookie; roles only decide what the menu shows
  }
}

function change(session: Session | undefined): void {
  if (session?.token === current?.token) return;
  current = session;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const sessionStore = {
  get: (): Session | undefined => current,
  subscribe,

  set(token: string, roles: readonly string[]): void {
    const claims = readToken(token);
    if (!claims) throw new Error("The server's token cannot be read");
    writeCookie(rolesCookie, JSON.stringify(roles), tokenDays);
    writeCookie(tokenCookie, token, tokenDays);
    change({ token, roles, claims });
    tabs.postMessage("changed");
  },

  /** SES-04: both cookies, the token and the roles. */
  clear(): void {
    removeCookie(tokenCookie);
    removeCookie(rolesCookie);
    const had = current !== undefined;
    change(undefined);
    if (had) tabs.postMessage("changed");
  },

  /** SES-01: re-extended while the console is open. */
  extendCookies(): void {
    if (!current || readCookie(tokenCookie) === undefined) return;
    writeCookie(tokenCookie, current.token, tokenDays);
    writeCookie(rolesCookie, JSON.stringify(current.roles), tokenDays);
  },

  /** Another tab may have signed out or refreshed; the cookie may have run out while the machine slept. */
  followCookies: (): void => change(restore()),

  validToken(nowSeconds: number): string | undefined {
    return current && sessionStep(current.claims, nowSeconds) !== "clear" ? current.token : undefined;
  },
};

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, sessionStore.get);
}

export const rememberedLogin = {
  username: (): string | undefined => readCookie(usernameCookie),
  rememberUsername: (entry: string): void => writeCookie(usernameCookie, entry, rememberedDays),
  server: (): string | undefined => readCookie(serverCookie),
  rememberServer: (name: string): void => writeCookie(serverCookie, name, rememberedDays),
};
