import * as z from "zod/mini";

/** A code of the second factor, as typed: six digits of an authenticator app, or a recovery code. */
export const Passcode = z.string().check(z.regex(/^[A-Za-z0-9]{1,32}$/, "A 2FA code is letters and digits only"));
