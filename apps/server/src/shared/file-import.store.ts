import type { PoolClient } from "pg";

/** Held until the transaction ends, so that two imports of the same do not wait for each other's rows. */
export async function importAlone(client: PoolClient, noun: string): Promise<void> {
  await client.query("/* import-alone */ select pg_advisory_xact_lock(hashtext($1))", [`import of ${noun}`]);
}

/** A plan that was made while a table was small reads all of it, for each of thousands of lines. */
export async function planAnew(client: PoolClient): Promise<void> {
  await client.query("/* plan-anew */ discard plans");
  await client.query("/* look-up-by-index */ set local enable_seqscan = off");
}

/** What comes after can be taken back alone. */
export async function beginLine(client: PoolClient): Promise<void> {
  await client.query("/* begin-line */ savepoint import_line");
}

/** With what the line did, and without a savepoint of its own that stays. */
export async function nextLine(client: PoolClient): Promise<void> {
  await client.query("/* next-line */ release savepoint import_line; savepoint import_line");
}

export async function takeLineBack(client: PoolClient): Promise<void> {
  await client.query("/* take-line-back */ rollback to savepoint import_line");
}
