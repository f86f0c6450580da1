import type { Pool, PoolClient } from "pg";
import type { Log } from "#lib/log.ts";
import { migrations } from "./migrations.ts";
import { inTransaction } from "./transaction.ts";

// The lock and the table are those of Kysely's migrator, which earlier versions ran: the one waits for the other and continues where it ended.
const lock = "3853314791062309107";

/** Brings the schema up to date, all of it or nothing; of many processes that start together one migrates, the others wait. */
export async function migrate(pool: Pool, log: Log): Promise<void> {
  const added = await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(${lock})`);
    const pending = pendingAfter(await namesOfApplied(client));
    for (const name of pending) {
      for (const statement of migrations[name] ?? []) await client.query(statement);
      await client.query("insert into kysely_migration values ($1, $2)", [name, new Date().toISOString()]);
    }
    return pending;
  });
  for (const migration of added) log.info({ migration }, "migration");
}

async function namesOfApplied(client: PoolClient): Promise<string[]> {
  await client.query(
    "create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)",
  );
  return (await client.query<{ name: string }>("select name from kysely_migration")).rows.map(({ name }) => name);
}

function pendingAfter(applied: readonly string[]): string[] {
  const known = Object.keys(migrations);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The database was brought up to date by a newer version of Busbar (${unknown.join(", ")}): run that one, or a newer one`,
    );
  const pending = known.filter((name) => !applied.includes(name));
  if (pending[0] !== known[applied.length]) throw new Error(`The database lacks the migration ${pending[0]}, though later ones ran`);
  return pending;
}
