import type { DataFileKind } from "@busbar/contract/data-file-name.ts";
import type { Pool } from "pg";

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
    async forget({ serials, kinds, before, latest, limit }: ExpiredFilesQuery): Promise<Buffer[]> {
      const keys = (times: string) => `(select serial_number, ts, kind, part from data_file
            where serial_number = s.serial and ${times} and kind = any($2) and received_at < to_timestamp($3) order by ts limit $5 for update skip locked)`;
      const { rows } = await pool.query<{ hash: Buffer }>({
        name: "forget-expired-files",
        text: `/* forget-expired-files */ with expired as (
            select e.* from unnest($1::int4[]) s (serial) cross join lateral (
              select * from ${keys("ts < to_timestamp($3)")} past union all select * from ${keys("ts > to_timestamp($4)")} future) e limit $5)
          delete from data_file f using expired e
          where f.serial_number = e.serial_number and f.ts = e.ts and f.kind = e.kind and f.part = e.part and f.received_at < to_timestamp($3)
          returning f.content_hash as hash`,
        values: [serials, kinds, before, latest, limit],
      });
      return rows.map(({ hash }) => hash);
    },

    /** Those of the contents that no file has. */
    async unused(hashes: readonly Buffer[]): Promise<Buffer[]> {
      const { rows } = await pool.query<{ hash: Buffer }>({
        name: "unused-contents",
        text: `/* unused-contents */ select distinct h as hash from unnest($1::bytea[]) h
          where not exists (select from data_file where content_hash = h)`,
        values: [hashes],
      });
      return rows.map(({ hash }) => hash);
    },
  };
}
export type ExpiredFilesStore = ReturnType<typeof createExpiredFilesStore>;
