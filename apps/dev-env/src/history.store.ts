import { copyRows } from "@busbar/server/db/copy-rows.ts";
import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";

const scalarColumns = [
  "serial_number",
  "ts",
  "version",
  "flag",
  "line_frequency",
  "current1",
  "current2",
  "current3",
  "voltage1",
  "voltage2",
  "voltage3",
];

/** Where a node's history ends: what its live row must say. Epoch seconds. */
export interface HistoryEnd {
  serial: number;
  lastScalarAt: number;
  lastScalarData: string;
  /** Local day, `yyyy-mm-dd`, and the scalars that are missing in it. */
  day: string;
  missingCount: number;
}

export async function copyScalars(client: PoolClient, lines: Iterable<string>): Promise<void> {
  await copyRows(client, "scalar", scalarColumns, lines);
}

/** What came before is put into the coverage by the program's own service CoverageFill, from what is stored. */
export async function awaitCoverage(client: PoolClient, serials: readonly number[]): Promise<void> {
  await planned(client, "demo-coverage-fill", [serials])`insert into coverage_fill select unnest($1::int4[]) on conflict do nothing`;
}

export async function updateLiveRows(client: PoolClient, ends: readonly HistoryEnd[]): Promise<void> {
  await planned(client, "demo-live-rows", [JSON.stringify(ends)])`
    update node_live l set last_scalar_at = to_timestamp(r."lastScalarAt"), last_seen_at = to_timestamp(r."lastScalarAt"), last_meter_at = to_timestamp(r."lastScalarAt"),
      last_scalar_data = r."lastScalarData", missing_scalar_day = r.day, missing_scalar_count = r."missingCount", is_sensor_ok = true,
      changed_xid = pg_current_xact_id()
    from jsonb_to_recordset($1) as r(serial integer, "lastScalarAt" float8, "lastScalarData" text, day date, "missingCount" integer)
    where l.serial_number = r.serial`;
}
