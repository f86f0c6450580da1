import { conflict } from "#lib/errors.ts";
import type { AppError } from "#lib/errors.ts";
import type { RecordedChange } from "./recorded-changes.store.ts";

type Fields = Record<string, unknown>;

/** The fields of `next` that differ from `current`. */
export function changedFields(current: Fields, next: Fields): string[] {
  return Object.keys(next).filter((field) => next[field] !== undefined && !isSame(current[field], next[field]));
}

/**
 * What is in the way of a change that was made on an older revision: a field that it sets and that somebody else set meanwhile.
 * Changes of different fields do not hurt each other.
 * @param wanted the fields that the change sets
 */
export function changedMeanwhile(
  thing: string,
  wanted: readonly string[],
  changes: readonly RecordedChange[],
  expectedRevision: number,
): AppError | undefined {
  const newest = changes.at(-1)?.after["revision"];
  // Without a record of every step nothing is known of the fields.
  if (changes[0]?.before["revision"] !== expectedRevision || typeof newest !== "number")
    return conflict(`${thing} was changed meanwhile. Load it again and repeat your change`);
  const whose = new Map<string, string>();
  for (const { actor, before, after } of changes) {
    for (const field of changedFields(before, after)) if (wanted.includes(field)) whose.set(field, actor);
  }
  if (whose.size === 0) return undefined;
  const actors = [...new Set(whose.values())].join(" and ");
  return conflict(`${actors} changed ${[...whose.keys()].join(", ")} of ${thing} meanwhile. Load it again and repeat your change`);
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
