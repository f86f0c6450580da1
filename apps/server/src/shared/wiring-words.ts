import { invalid, type AppError } from "#lib/errors.ts";

/** Who makes a node Deployed whose wiring was not found right says why; the calls of the texts work without, and the activity says that too. */
export const wiringWords = (verdict: string, reason: string): string =>
  ` without a ${verdict === "" ? "" : "right "}wiring verdict${verdict === "" ? "" : ` (${verdict})`}: ${reason.trim() || "no reason given"}`;

/** @returns 400 that names what was found of the wiring */
export const refusedWithoutReason = (verdict: string): AppError =>
  invalid("wiringReason", verdict === "" ? "It has no wiring verdict: give a reason" : `Its wiring verdict is: ${verdict} Give a reason`);
