import type { Pool, PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";
import { backfillSeconds, lateIntervals } from "#shared/coverage.store.ts";
import { quarterSeconds } from "#lib/quarters.ts";

const zero = "0::bit(2976)";
const joined = (column: string) => `${column} = coalesce(c.${column} | excluded.${column}, excluded.${column}, c.${column})`;

/** Quarters `q` of an interval from `ts` on. */
const quarters = (seconds: string) =>
  `cross join lateral generate_series(floor(extract(epoch from ts) / ${quarterSeconds})::int4,
     floor((extract(epoch from ts) + ${seconds} - 1) / ${quarterSeconds})::int4) q`;

/** Puts quarters with the columns kind, serial, q, whole, late, backfilled and failed beside what is known. */
const put = (rows: string) => `insert into coverage as c (kind, month, serial_number, received, partly, late, backfilled, failed)
  select kind, month, serial, coalesce(bit_or(b) filter (where whole), ${zero}), bit_or(b) filter (where not whole), bit_or(b) filter (where late),
    bit_or(b) filter (where backfilled), bit_or(b) filter (where failed)
  from (select *, set_bit(${zero}, q - (extract(epoch from month at time zone 'UTC') / ${quarterSeconds})::int4, 1) as b
    from (select *, date_trunc('month', to_timestamp(q * ${quarterSeconds}::float8) at time zone 'UTC') as month from (${rows}) quarter) placed) bits
  group by kind, month, serial order by kind, month, serial
  on conflict (kind, month, serial_number) do update
    set received = c.received | excluded.received, ${["partly", "late", "backfilled", "failed"].map(joined).join(", ")}`;

/** What came before the platform kept coverage, from what is stored. */
export function createCoverageFillStore(pool: Pool) {
  return {
    async findWaiting(limit: number, ids: readonly string[] | null): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "coverage-to-fill", [limit, ids])`
        select serial_number as serial from coverage_fill where ${isNext("CoverageFill", "node", "serial_number::text", "$2")}
        order by serial_number limit $1`;
      return rows.map(({ serial }) => serial);
    },

    /** Inside the caller's transaction. */
    async fill(client: PoolClient, serials: readonly number[]): Promise<void> {
      await prepared(client, "fill-file-coverage", [serials])`
        ${put(`select kind, serial_number as serial, q, max(interval_seconds) >= ${quarterSeconds} or count(*) >= ${quarterSeconds} / max(interval_seconds) as whole,
          bool_or(age > ${lateIntervals} * interval_seconds and age - interval_seconds <= ${backfillSeconds}) as late,
          bool_or(age - interval_seconds > ${backfillSeconds}) as backfilled, bool_or(processed is false) as failed
        from (select *, extract(epoch from received_at - ts) as age from data_file
          where serial_number = any($1::int4[]) and kind in ('D', 'S') and interval_seconds > 0 and received_at >= ts) f
        ${quarters("interval_seconds")} group by kind, serial_number, q`)}`;
      await prepared(client, "fill-scalar-coverage", [serials])`${put(`select 'scalars' as kind, serial_number as serial, q,
          count(distinct floor(extract(epoch from ts) / 60)) >= greatest(1, floor(0.8 * (${quarterSeconds} / greatest(60, max(step))))) as whole,
          false as late, false as backfilled, false as failed
        from (select s.serial_number, s.ts, n.scalar_interval_seconds as step from scalar s join node n using (serial_number)
          where s.serial_number = any($1::int4[])) s
        ${quarters(`case when step > ${quarterSeconds} then step else 1 end`)} group by serial_number, q`)}`;
      await prepared(client, "end-coverage-fill", [serials])`delete from coverage_fill where serial_number = any($1::int4[])`;
    },
  };
}
export type CoverageFillStore = ReturnType<typeof createCoverageFillStore>;
