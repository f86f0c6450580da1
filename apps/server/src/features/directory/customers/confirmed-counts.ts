import { counted } from "@busbar/contract/values/counted.ts";
import { conflict } from "#lib/errors.ts";

const nouns = ["facility", "location"] as const;

/**
 * Refuses to delete a thing with other contents than the caller was shown. Without counts the passcode is the confirmation.
 * @param counts of facilities and locations, or of locations alone
 * @throws AppError 409
 */
export function requireConfirmed(thing: string, counts: readonly number[], confirmed: readonly number[] | undefined): void {
  if (confirmed === undefined || counts.every((count, index) => count === confirmed[index])) return;
  const things = nouns.slice(-counts.length);
  const words = (numbers: readonly number[]) => things.map((noun, index) => counted(numbers[index] ?? 0, noun)).join(" and ");
  throw conflict(`${thing} has ${words(counts)} now, not ${words(confirmed)} as confirmed. Nothing was deleted`);
}
