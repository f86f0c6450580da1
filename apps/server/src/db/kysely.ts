import { createHash } from "node:crypto";
import { Kysely, PostgresDialect } from "kysely";
import type { PostgresPool } from "kysely";
import type { Pool } from "pg";

const maxNamed = 500;
const names = new Map<string, string>();

// The server plans a named statement once per connection, which halves the cost of a small query. A name must mean the same
// text on every connection; texts made up at run time must not fill the server's memory: hence the bound.
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < maxNamed) {
    name = `k${createHash("sha256").update(text).digest("base64url").slice(0, 16)}`;
    names.set(text, name);
  }
  return name;
}

/** Kysely over the given pool; the pool stays its owner's. */
export function createKysely<Database>(pool: Pool): Kysely<Database> {
  const named = {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[]) =>
        /^\s*(?:select|insert|update|delete|with)\b/i.test(text)
          ? client.query({ name: nameOf(text), text, values: [...values] })
          : client.query(text, [...values]);
      return { query, release: () => client.release() };
    },
    end: () => Promise.resolve(),
  };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: named as unknown as PostgresPool }) });
}
