import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { Passcode } from "./passcode.ts";

/** Seconds of life that the console asks for. */
export const requestedSessionSeconds = 86_400;

const duration = z._default(z.int().check(z.minimum(60, "duration is at least 60 seconds")), requestedSessionSeconds);

// An empty username or e-mail counts as absent.
const optionalText = z.pipe(
  z.nullish(z.string().check(z.maxLength(320, "is too long"))),
  z.transform((text) => (text === "" || text === null ? undefined : text)),
);

export const LoginBody = z.strictObject({
  username: optionalText,
  email: optionalText,
  password: z.string("password is required").check(z.minLength(1, "password is required"), z.maxLength(256, "password is too long")),
  sendEmail: z._default(z.boolean(), false),
  duration,
  /** True unless this browser last signed in as the same person: a hint, never trusted. */
  newDevice: z._default(z.boolean(), false),
  v2Server: z._default(z.boolean(), false),
  /** 2FA code, in the second step of a sign-in that needs one (`PASSCODE_REQUIRED`). */
  code: z.optional(Passcode),
});
export type LoginBody = z.input<typeof LoginBody>;

/** Claims that the console reads from the token: `iat` and `exp` in epoch seconds, `jti` the session, `name` for the top bar. */
export const SessionToken = z.object({ token: z.string(), roles: z.array(z.string()) });
export type SessionToken = z.infer<typeof SessionToken>;

export const createAdministratorSession = endpoint("POST /api/sessions/administrator", {
  alsoV2: true,
  access: "public",
  summary: "Sign in",
  body: LoginBody,
  data: SessionToken,
});

export const refreshSession = endpoint("PATCH /api/sessions", {
  alsoV2: true,
  access: "staff",
  allowsUnenrolled: true,
  isRefresh: true,
  summary: "Replace the token by a fresh one; the old one ends 30 s later, gives the same one until then, and ends the sign-in after that",
  body: z.strictObject({ duration }),
  data: SessionToken,
});

export const revokeSession = endpoint("DELETE /api/sessions", {
  alsoV2: true,
  access: "staff",
  allowsUnenrolled: true,
  summary: "Sign out: the token is void from now on",
  data: z.object({ revoked: z.literal(true) }),
  // What the browser kept of the fleet ends with the session; the person's theme may stay.
  answerHeaders: { "clear-site-data": '"cache"' },
});
