import type { Pool, PoolClient, QueryResultRow } from "pg";

/** What runs statements: the pool, or a connection inside a transaction. */
export type Db = Pool | PoolClient;

/** Takes the text of a statement. A `${…}` in it is SQL of our own; whatever comes from outside is among the values `$1`, `$2` and so on. */
type Statement<Answer> = (text: TemplateStringsArray, ...parts: Part[]) => Promise<Answer>;
type Part = string | number;
type Row = Record<string, unknown>;

/** Faster than `String.raw`, which a statement would pay for at each call. */
const join = (text: TemplateStringsArray, parts: Part[]): string => text.reduce((sql, next, index) => `${sql}${parts[index - 1]}${next}`);

const ask = <R extends QueryResultRow>(db: Db, name: string, values: unknown[] | undefined, text: TemplateStringsArray, parts: Part[]) =>
  db.query<R>({ name, text: join(text, parts), values });

const askOnce = <R extends QueryResultRow>(
  db: Db,
  name: string,
  values: unknown[] | undefined,
  text: TemplateStringsArray,
  parts: Part[],
) => db.query<R>(`/* ${name} */ ${join(text, parts)}`, values);

/** The rows of a statement that a connection parses once, known by its name, which no other statement has. */
export function prepared<R extends QueryResultRow = Row>(db: Db, name: string, values?: unknown[]): Statement<R[]> {
  return async (text, ...parts) => (await ask<R>(db, name, values, text, parts)).rows;
}

/** Like `prepared`: how many rows it found or wrote. */
export function preparedCount(db: Db, name: string, values?: unknown[]): Statement<number> {
  return async (text, ...parts) => (await ask(db, name, values, text, parts)).rowCount ?? 0;
}

/** The rows of a statement that is planned at each call for its values, or runs seldom. The server's views and logs show its name. */
export function planned<R extends QueryResultRow = Row>(db: Db, name: string, values?: unknown[]): Statement<R[]> {
  return async (text, ...parts) => (await askOnce<R>(db, name, values, text, parts)).rows;
}

/** Like `planned`: how many rows it found or wrote. */
export function plannedCount(db: Db, name: string, values?: unknown[]): Statement<number> {
  return async (text, ...parts) => (await askOnce(db, name, values, text, parts)).rowCount ?? 0;
}
