import { conflict, type AppError } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A change of an object as it was recorded; `before` and `after` hold its revision. */
export interface RecordedChange {
  actor: string;
  before: Fields;
  after: Fields;
}

/** The fields that `next` gives and that differ from `current`. */
export function changedFields(current: Fields, next: Fields): string[] {
  return Object.keys(next).filter((field) => next[field] !== undefined && JSON.stringify(current[field]) !== JSON.stringify(next[field]));
}

/** A field's name as people read it: `siteName` is the site name. */
const wordsOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * The refusal of a change that was made on an older revision, when someone else has set one of its fields since.
 * Changes of different fields do not hurt each other.
 * @param fields the fields that the change sets
 * @param changes what was recorded since that revision, oldest first
 */
export function changedMeanwhile(
  subject: string,
  fields: readonly string[],
  changes: readonly RecordedChange[],
  expectedRevision: number,
): AppError | undefined {
  // Without a record of every step nothing is known of the fields.
  if (changes[0]?.before["revision"] !== expectedRevision)
    return conflict(`${subject} was changed meanwhile. Load it again and repeat your change`);
  const whose = new Map<string, string>();
  for (const { actor, before, after } of changes) {
    for (const field of changedFields(before, after)) if (fields.includes(field)) whose.set(field, actor);
  }
  if (whose.size === 0) return undefined;
  const actors = [...new Set(whose.values())].join(" and ");
  return conflict(
    `${actors} changed ${[...whose.keys()].map(wordsOf).join(", ")} of ${subject} meanwhile. Load it again and repeat your change`,
  );
}
