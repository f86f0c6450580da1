import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";

/** Lays the rows of every table the other way round: what is read without an order, or with too little of one, comes otherwise. */
export async function reverseRows(pool: Pool): Promise<void> {
  await withoutTriggers(pool, async (client) => {
    for (const { name, columns } of await tablesOf(client))
      await client.query(
        `create temporary table laid on commit drop as select row_number() over (order by ctid) as nth_row, ${columns} from ${name};
         delete from ${name};
         insert into ${name} (${columns}) overriding system value select ${columns} from laid order by nth_row desc;
         drop table laid`,
      );
  });
}

/** Changes columns of whole tables, and puts them back when `work` is done with them. */
export async function withRowsChanged(pool: Pool, changes: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  await withoutTriggers(pool, async (client) => {
    await client.query("create schema rows_before");
    for (const [name, values] of Object.entries(changes))
      await client.query(`create table rows_before.${name} as table ${name}; update ${name} set ${values}`);
  });
  await work();
  await withoutTriggers(pool, async (client) => {
    for (const { name, columns } of await tablesOf(client))
      if (name in changes)
        await client.query(
          `delete from ${name}; insert into ${name} (${columns}) overriding system value select ${columns} from rows_before.${name}`,
        );
    await client.query("drop schema rows_before cascade");
  });
}

/** Nothing follows from what is written, and no foreign key minds it. */
const withoutTriggers = (pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query("set local session_replication_role = replica");
    await work(client);
  });

async function tablesOf(client: PoolClient): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.oid`,
  );
  return rows;
}
