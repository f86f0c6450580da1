import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";
import { conflict } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";

/**
 * Held until the transaction ends: two imports of the same would wait for each other's rows for longer than a statement may take.
 * @throws AppError where another one is under way
 */
export async function importAlone(client: PoolClient, noun: string): Promise<void> {
  const rows = await planned<{ is_alone: boolean }>(client, "import-alone", [`import of ${noun}`])`
    select pg_try_advisory_xact_lock(hashtext($1)) as is_alone`;
  if (!rows[0]!.is_alone) throw conflict(say`Another import of ${noun}s is being read or carried out: try again when it has ended`);
}

/** A plan that was made while a table was small reads all of it, for each of thousands of lines. */
export async function planAnew(client: PoolClient): Promise<void> {
  await planned(client, "plan-anew")`discard plans`;
  await planned(client, "look-up-by-index")`set local enable_seqscan = off`;
}

/** What comes after can be taken back alone. */
export async function beginLine(client: PoolClient): Promise<void> {
  await planned(client, "begin-line")`savepoint import_line`;
}

/** With what the line did, and without a savepoint of its own that stays. */
export async function nextLine(client: PoolClient): Promise<void> {
  await planned(client, "next-line")`release savepoint import_line; savepoint import_line`;
}

export async function takeLineBack(client: PoolClient): Promise<void> {
  await planned(client, "take-line-back")`rollback to savepoint import_line`;
}
