import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { NewPassword } from "./user-rules.ts";

/** What the signed-in person may know of their own account. Times in epoch seconds. */
export const Account = z.object({
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  twoFactor: z.nullable(z.object({ enrolledTimestamp: EpochSeconds, recoveryCodesLeft: z.int() })),
  /** The setting of this server asks this person for a second factor, and there is none: nothing else is possible yet. */
  mustEnrolTwoFactor: z.boolean(),
  /** Someone else set the password. */
  mustChangePassword: z.boolean(),
});
export type Account = z.infer<typeof Account>;

/** One sign-in that still lives. */
export const AccountSession = z.object({
  id: z.string(),
  signedInTimestamp: EpochSeconds,
  lastUsedTimestamp: EpochSeconds,
  expiryTimestamp: EpochSeconds,
  remoteAddress: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

export const CurrentPassword = z
  .string("Your current password is required")
  .check(z.minLength(1, "Your current password is required"), z.maxLength(256, "A password has at most 256 characters"));

export const getAccount = endpoint("GET /api/account", {
  access: "staff",
  allowsUnenrolled: true,
  summary: "The signed-in person's own account",
  data: Account,
});

export const changeOwnPassword = endpoint("PATCH /api/account/password", {
  access: "staff",
  summary: "Change one's own password; ends all other sessions",
  changes: "everything",
  body: z.strictObject({ currentPassword: CurrentPassword, newPassword: NewPassword }),
  data: z.object({ changed: z.literal(true) }),
});

export const getOwnSessions = endpoint("GET /api/account/sessions", {
  access: "staff",
  summary: "Where the signed-in person is signed in, the latest used first",
  data: z.array(AccountSession),
});

export const endOwnSession = endpoint("DELETE /api/account/sessions/{sessionId}", {
  access: "staff",
  summary: "End one of one's own sessions",
  changes: ["/account", "/account/sessions"],
  params: z.object({ sessionId: z.uuid("sessionId is the id of a session") }),
  data: z.object({ ended: z.literal(true) }),
});

export const endOtherSessions = endpoint("DELETE /api/account/sessions", {
  access: "staff",
  summary: "End all own sessions but this one",
  changes: ["/account", "/account/sessions"],
  data: z.object({ endedCount: z.int() }),
});
