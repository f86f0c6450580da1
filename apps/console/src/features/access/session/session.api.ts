import { errorCodes } from "@busbar/contract/errors.ts";
import { createAdministratorSession, requestedSessionSeconds, revokeSession } from "@busbar/contract/access/session.ts";
import type { Client } from "#api/client.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { isBlockedOrigin } from "#lib/blocked-origins.ts";
import type { LoginEntry } from "./login-entry.ts";
import { rememberedLogin } from "./remembered-login.ts";
import { currentSession } from "./current-session.ts";

export interface LoginRequest {
  entry: Extract<LoginEntry, { kind: "username" | "email" }>;
  password: string;
  useV2Server: boolean;
  credential: string;
  /** 2FA code of the second step. */
  code?: string;
}

/** LOG-07: signs in and keeps token and roles. */
export async function signIn(call: Client, request: LoginRequest): Promise<void> {
  const { entry, password, useV2Server, credential, code } = request;
  const name = entry.kind === "email" ? entry.email : entry.username;
  const session = await call(
    createAdministratorSession,
    {
      body: {
        username: entry.kind === "username" ? entry.username : "",
        email: entry.kind === "email" ? entry.email : "",
        password,
        sendEmail: false,
        duration: requestedSessionSeconds,
        newDevice: rememberedLogin.username() !== name,
        v2Server: useV2Server,
        ...(code === undefined ? {} : { code }),
      },
    },
    { credential, version: useV2Server ? "v2" : "v1" },
  );
  rememberedLogin.rememberUsername(name);
  currentSession.set(session.token, session.roles);
}

/** The password was right, and the server asks for a 2FA code as well. */
export const isPasscodeAsked = (error: unknown): boolean => error instanceof ApiError && error.errorCode === errorCodes.passcodeRequired;

/** LOG-10: the server forgets the token; whatever it says, this browser forgets it too. */
export async function signOut(call: Client): Promise<void> {
  try {
    if (currentSession.get()) await call(revokeSession, {});
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.warn(`The session was not revoked on the server: ${error.errorCode}`);
  } finally {
    currentSession.clear();
  }
}

/** LOG-08: what the login page says about a failure; and why, when this page's policy forbids the chosen server. */
export function loginFailureText(error: unknown, origin?: string): string {
  if (!(error instanceof ApiError)) return failureMessage(error);
  if (error.status !== 0) return `${error.message.replace(/\.$/, "")}.`;
  return origin && isBlockedOrigin(origin)
    ? `${error.message} This page's security policy does not allow calls to ${origin}.`
    : error.message;
}
