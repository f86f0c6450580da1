import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";

export interface ExpiredFilesQuery {
  serials: readonly number[];
  kinds: readonly DataFileKind[];
  /** Epoch seconds: files of earlier intervals that also came earlier have expired. */
  before: number;
  /** Epoch seconds: no interval can be later; a file of one expires by its arrival alone. */
  latest: number;
  limit: number;
}

export function createExpiredFilesStore(pool: Pool) {
  return {
    /** Forgets up to `limit` files of these nodes, by the table's key. @returns the contents that they had, each as often as it was there */
    forget: ({ serials, kinds, before, latest, limit }: ExpiredFilesQuery): Promise<Buffer[]> =>
      // When it fails, its locks are gone before the same nodes are tried one by one.
      inTransaction(pool, async (client) => {
        // What someone is just replacing is not waited for: it is not old any more.
        const places = (times: string) => `(select ctid from data_file
            where serial_number = s.serial and ${times} and kind = any($2) and received_at < to_timestamp($3) order by ts limit $5 for update skip locked)`;
        const rows = await prepared<{ hash: Buffer }>(client, "forget-expired-files", [serials, kinds, before, latest, limit])`
          delete from data_file where ctid = any(array(
            select e.ctid from unnest($1::int4[]) s (serial) cross join lateral (
              select * from ${places("ts < to_timestamp($3)")} past union all select * from ${places("ts > to_timestamp($4)")} future) e limit $5))
          returning content_hash as hash`;
        return rows.map(({ hash }) => hash);
      }),

    /** Those of the contents that no file has. */
    async unused(hashes: readonly Buffer[]): Promise<Buffer[]> {
      const rows = await prepared<{ hash: Buffer }>(pool, "unused-contents", [hashes])`
        select distinct h as hash from unnest($1::bytea[]) h
        where (select true from data_file where content_hash = h limit 1) is null`;
      return rows.map(({ hash }) => hash);
    },
  };
}
export type ExpiredFilesStore = ReturnType<typeof createExpiredFilesStore>;
