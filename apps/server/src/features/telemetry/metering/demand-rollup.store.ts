import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { plannedCount, prepared } from "#db/statement.ts";
import type { CompleteDay, DemandBlock } from "@busbar/metering/demand.ts";

/** A local day of a node that is over, with what was measured of it. */
export interface FinishedDay {
  serial: number;
  /** `yyyy-mm-dd` in the node's zone. */
  day: string;
  lengthSeconds: number;
  blocks: DemandBlock[];
}

const zone = "coalesce(l.timezone, 'UTC')";

export async function findNodesWithBlocks(pool: Pool): Promise<number[]> {
  const rows = await prepared<{ serial: number }>(pool, "find-nodes-with-demand-blocks")`
    select distinct serial_number as serial from node_demand_block order by 1`;
  return rows.map(({ serial }) => serial);
}

/** Finished days of these nodes that are still kept as blocks. @param now epoch seconds */
export async function findFinishedDays(pool: Pool, serials: readonly number[], now: number): Promise<FinishedDay[]> {
  return await prepared<FinishedDay>(pool, "find-finished-demand-days", [now, serials])`
    select b.serial_number as serial, d.day::text, ${exactEpoch("(d.day + 1)::timestamp at time zone z.name - d.day::timestamp at time zone z.name")} as "lengthSeconds",
      json_agg(json_build_object('startMs', extract(epoch from b.block_at) * 1000, 'kwSeconds', b.kw_seconds, 'coveredSeconds', b.covered_seconds)) as blocks
    from node_demand_block b left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
      cross join lateral (select ${zone} as name) z cross join lateral (select (b.block_at at time zone z.name)::date as day) d
    where b.serial_number = any ($2::int4[]) and d.day < (to_timestamp($1) at time zone z.name)::date
    group by b.serial_number, d.day, z.name`;
}

/** Writes the day of each node and forgets its blocks; a day that is there stays as it is. */
export async function storeDays(client: PoolClient, days: readonly (FinishedDay & { figures: CompleteDay })[]): Promise<void> {
  await prepared(client, "store-demand-days", [
    days.map(({ serial }) => serial),
    days.map(({ day }) => day),
    days.map(({ figures }) => figures.averageKw),
    days.map(({ figures }) => figures.peakKw),
    days.map(({ figures }) => figures.coveredSeconds),
    days.map(({ figures }) => figures.lengthSeconds),
  ])`
    insert into node_demand_day (serial_number, day, average_kw, peak_kw, covered_seconds, length_seconds)
    select s, d, a, p, c, l from unnest($1::int4[], $2::date[], $3::float8[], $4::float8[], $5::float8[], $6::float8[]) as u (s, d, a, p, c, l)
      join node on node.serial_number = u.s
    on conflict (serial_number, day) do nothing`;
  const blocks = days.flatMap(({ serial, blocks: ofDay }) => ofDay.map(({ startMs }) => ({ serial, startMs })));
  await prepared(client, "forget-demand-blocks", [blocks.map(({ serial }) => serial), blocks.map(({ startMs }) => startMs)])`
    delete from node_demand_block b using unnest($1::int4[], $2::float8[]) as u (s, t)
    where b.serial_number = u.s and b.block_at = to_timestamp(u.t / 1000.0)`;
}

/** Days that no figure looks back on any more. @param before epoch seconds */
export async function forgetOldDays(pool: Pool, before: number): Promise<number> {
  return await plannedCount(pool, "forget-demand-days", [before])`
    delete from node_demand_day where day < to_timestamp($1)::date`;
}
