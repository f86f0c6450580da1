import { unauthorized } from "#lib/errors.ts";
import type { Call, Caller } from "./endpoints.ts";

/** The signed-in administrator of a call that only administrators make. */
export function requireCaller(call: Call): Caller {
  if (!call.caller) throw unauthorized();
  return call.caller;
}
