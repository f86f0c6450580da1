import { isDeepStrictEqual } from "node:util";
import { invalid } from "./errors.ts";

/**
 * A body may repeat what the server alone writes of an object, and never change it.
 * @param own names of those fields, as the contract has them
 * @throws AppError 400 that names the field
 */
export function refuseOtherValues(present: object, body: object, own: object): void {
  const values = present as Record<string, unknown>;
  for (const [field, given] of Object.entries(body)) {
    if (field in own && given !== undefined && !isDeepStrictEqual(given, values[field])) throw invalid(field, "cannot be changed here");
  }
}
