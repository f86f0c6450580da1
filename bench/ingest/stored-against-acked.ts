import { closeSync, openSync, readSync } from "node:fs";
import { copyRows } from "@busbar/server/db/copy-rows.ts";
import type { Pool } from "@busbar/server/db/pool.ts";

export interface StoredAgainstAcked {
  sent: number;
  acked: number;
  stored: number;
  /** Acknowledged and not in the table. */
  lost: number;
  /** More than once in the table. */
  duplicates: number;
  /** In the table and never sent. */
  unknown: number;
}

const chunkBytes = 1_000_000;

/** Compares what the generator says with what the table holds. */
export async function compareStoredWithAcked(pool: Pool, logFile: string): Promise<StoredAgainstAcked> {
  const client = await pool.connect();
  try {
    await client.query("create temp table bench_sent (serial_number integer, at_ms bigint, is_acked boolean)");
    await copyRows(client, "bench_sent", ["serial_number", "at_ms", "is_acked"], readChunks(logFile));
    await client.query(
      "create temp table bench_stored as select serial_number, round(extract(epoch from ts) * 1000)::bigint as at_ms from scalar",
    );
    await client.query("analyze bench_sent");
    await client.query("analyze bench_stored");
    const { rows } = await client.query<Record<keyof StoredAgainstAcked, string>>(
      `select (select count(*) from bench_sent) as sent, (select count(*) from bench_sent where is_acked) as acked,
         (select count(*) from bench_stored) as stored,
         (select count(*) from bench_sent s where is_acked and not exists (select from bench_stored b where b.serial_number = s.serial_number and b.at_ms = s.at_ms)) as lost,
         (select count(*) - count(distinct (serial_number, at_ms)) from bench_stored) as duplicates,
         (select count(*) from bench_stored b where not exists (select from bench_sent s where b.serial_number = s.serial_number and b.at_ms = s.at_ms)) as unknown`,
    );
    const row = rows[0];
    if (!row) throw new Error("The comparison gave no row");
    const read = (name: keyof StoredAgainstAcked) => Number(row[name]);
    return {
      sent: read("sent"),
      acked: read("acked"),
      stored: read("stored"),
      lost: read("lost"),
      duplicates: read("duplicates"),
      unknown: read("unknown"),
    };
  } finally {
    await client.query("discard temp");
    client.release();
  }
}

/** A file of ASCII, which may be larger than a string. */
function* readChunks(file: string): Generator<string> {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(chunkBytes);
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer))
      yield buffer.toString("latin1", 0, length);
  } finally {
    closeSync(descriptor);
  }
}
