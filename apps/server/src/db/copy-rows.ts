import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** Streams rows into a table in COPY's text format: tab between columns, `\N` for null, one line each. */
export async function copyRows(client: PoolClient, table: string, columns: readonly string[], chunks: Iterable<string>): Promise<void> {
  await pipeline(
    Readable.from(chunks, { objectMode: true, highWaterMark: 4 }),
    client.query(copyFrom(`copy ${table} (${columns.join(", ")}) from stdin`)),
  );
}
