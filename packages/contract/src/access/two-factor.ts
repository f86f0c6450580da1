import * as z from "zod/mini";
import { CurrentPassword } from "./account.ts";
import { endpoint } from "../endpoint.ts";
import { Passcode } from "./passcode.ts";

export const recoveryCodeCount = 10;
export const enrolmentMinutes = 15;

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const beginTwoFactor = endpoint("POST /api/account/2fa/enrolment", {
  access: "staff",
  allowsUnenrolled: true,
  summary: "Begin to set up a second factor: a new secret, valid for 15 min and only once it is confirmed",
  body: z.strictObject({
    password: CurrentPassword,
    /** Needed by those who have a second factor already. */
    code: z.optional(Passcode),
  }),
  data: z.object({ secret: z.string(), otpauthAddress: z.string() }),
});

export const confirmTwoFactor = endpoint("POST /api/account/2fa/confirmation", {
  access: "staff",
  allowsUnenrolled: true,
  summary: "Confirm the new second factor with a code of it; recovery codes are shown in this answer only",
  changes: "everything",
  body: z.strictObject({ code: Passcode }),
  data: RecoveryCodes,
});

export const replaceRecoveryCodes = endpoint("POST /api/account/2fa/recoverycodes", {
  access: "staff",
  summary: "New recovery codes, confirmed by a 2FA code; the old ones are void",
  changes: ["/account"],
  body: z.strictObject({ code: Passcode }),
  data: RecoveryCodes,
});
