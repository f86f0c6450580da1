import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";

export interface RefusedTry {
  serial: number;
  reason: string;
  count: number;
  lastAtMs: number;
}

export function createRefusedTriesStore(pool: Pool) {
  return {
    /** Those of serial numbers that are no node are left out. */
    async write(rows: readonly RefusedTry[]): Promise<void> {
      await prepared(pool, "note-refused-tries", [
        rows.map(({ serial }) => serial),
        rows.map(({ reason }) => reason),
        rows.map(({ count }) => count),
        rows.map(({ lastAtMs }) => lastAtMs),
      ])`
        insert into node_refusal as r (serial_number, reason, count, last_at)
        select u.serial, u.reason, u.count, to_timestamp(u.at / 1000.0) from unnest($1::int4[], $2::text[], $3::int8[], $4::float8[]) as u (serial, reason, count, at)
        join node n on n.serial_number = u.serial order by u.serial, u.reason
        on conflict (serial_number, reason) do update set count = r.count + excluded.count, last_at = greatest(r.last_at, excluded.last_at)`;
    },
  };
}
export type RefusedTriesStore = ReturnType<typeof createRefusedTriesStore>;
