import { counted } from "@busbar/contract/values/counted.ts";
import { conflict } from "#lib/errors.ts";

const nouns = ["facility", "location"] as const;

/**
 * Refuses to delete an object with other contents than the caller was shown. Without counts the passcode is the confirmation.
 * @param counts of facilities and locations, or of locations alone
 * @throws AppError 409
 */
export function requireConfirmed(subject: string, counts: readonly number[], confirmed: readonly number[] | undefined): void {
  if (confirmed === undefined || counts.every((count, index) => count === confirmed[index])) return;
  const contents = nouns.slice(-counts.length);
  const words = (numbers: readonly number[]) => contents.map((noun, index) => counted(numbers[index] ?? 0, noun)).join(" and ");
  throw conflict(`${subject} has ${words(counts)} now, not ${words(confirmed)} as confirmed. Nothing was deleted`);
}
