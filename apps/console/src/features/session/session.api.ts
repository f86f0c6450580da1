import { createAdministratorSession, requestedSessionSeconds, revokeSession } from "@busbar/contract/session.ts";
import type { Client } from "#api/client.ts";
import { ApiError } from "#api/api-error.ts";
import type { LoginEntry } from "./login-entry.ts";
import { rememberedLogin, sessionStore } from "./session-store.ts";

export interface LoginRequest {
  entry: Extract<LoginEntry, { kind: "username" | "email" }>;
  password: string;
  useV2Server: boolean;
  /** Origin of another server; empty is the console's own. */
  serverOrigin: string;
  credential: string;
}

/** LOG-07: signs in and keeps token and roles. */
export async function signIn(call: Client, request: LoginRequest): Promise<void> {
  const { entry, password, useV2Server, serverOrigin, credential } = request;
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
      },
    },
    { credential, version: useV2Server ? "v2" : "v1", ...(serverOrigin ? { origin: serverOrigin } : {}) },
  );
  rememberedLogin.rememberUsername(name);
  sessionStore.set(session.token, session.roles);
}

/** LOG-10: the server forgets the token; whatever it says, this browser forgets it too. */
export async function signOut(call: Client): Promise<void> {
  try {
    if (sessionStore.get()) await call(revokeSession, {});
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.warn(`The session was not revoked on the server: ${error.errorCode}`);
  } finally {
    sessionStore.clear();
  }
}

/** LOG-08: what the login page says about a failure. */
export function loginFailureText(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something unexpected happened in the console.";
  return error.status === 0 ? error.message : `${error.message}.`;
}
