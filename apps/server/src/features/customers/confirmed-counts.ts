import { counted } from "@busbar/contract/counted.ts";
import { conflict } from "#lib/errors.ts";

const nouns = ["facility", "location"] as const;

/**
 * Refuses to delete a thing with what hangs on it unless the caller named exactly these numbers: a console shows them first.
 * @param counts of facilities and locations, or of locations alone
 * @throws AppError 409
 */
export function requireConfirmed(thing: string, counts: readonly number[], confirmed: readonly number[] | undefined): void {
  const things = nouns.slice(-counts.length);
  const words = (numbers: readonly number[]) => things.map((noun, index) => counted(numbers[index] ?? 0, noun)).join(" and ");
  if (confirmed === undefined) {
    if (counts.every((count) => count === 0)) return;
    throw conflict(
      `${thing} has ${words(counts)}. Confirm ${counts.length === 1 ? "the number" : "both numbers"} to delete ${counts.length === 1 && counts[0] === 1 ? "it" : "them"} too`,
    );
  }
  if (counts.every((count, index) => count === confirmed[index])) return;
  throw conflict(`${thing} has ${words(counts)} now, not ${words(confirmed)} as confirmed. Nothing was deleted`);
}
