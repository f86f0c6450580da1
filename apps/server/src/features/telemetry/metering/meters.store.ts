import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import type { LiveChange } from "#features/telemetry/scalars/ingest-plan.ts";

/** What ingest writes of the meters: inside its transaction, with the node's other changes. */
export interface MeterStore {
  write(client: PoolClient, live: readonly LiveChange[]): Promise<void>[];
}

const meterColumns = [
  ["kw", "float4"],
  ["kva", "float4"],
  ["kvar", "float4"],
  ["power_factor", "float4"],
  ["running_seconds", "float8"],
  ["amp_hours", "float8"],
  ["kilowatt_hours", "float8"],
  ["kilovar_hours", "float8"],
  ["field_voltage", "float4"],
  ["field_current", "float4"],
] as const;

export function createMeterStore(): MeterStore {
  return {
    write(client, live) {
      const metered = live.filter(({ meter }) => meter !== undefined);
      const demanded = live.filter(({ demandToWrite }) => demandToWrite.length > 0);
      return [
        ...(metered.length > 0 ? [updateMeters(client, metered)] : []),
        ...(demanded.length > 0 ? [addDemandBlocks(client, demanded)] : []),
      ];
    },
  };
}

async function updateMeters(client: PoolClient, live: readonly LiveChange[]): Promise<void> {
  // Only forward in time; a value that was not reported stays.
  await prepared(client, "update-node-meters", [
    live.map(({ state }) => state.serial),
    live.map(({ meter }) => meter!.atMs),
    ...meterColumns.map(([, type], slot) =>
      live.map(({ meter }) => numberOrNull(type === "float4" ? Math.fround(meter!.values[slot]!) : meter!.values[slot]!)),
    ),
  ])`
    update node_meter m set metered_at = to_timestamp(u.t / 1000.0),
      ${meterColumns.map(([name]) => `${name} = coalesce(u.${name}, m.${name})`).join(", ")}
    from unnest($1::int4[], $2::float8[], ${meterColumns.map(([, type], slot) => `$${slot + 3}::${type}[]`).join(", ")})
      as u (s, t, ${meterColumns.map(([name]) => name).join(", ")})
    where m.serial_number = u.s and (m.metered_at is null or m.metered_at <= to_timestamp(u.t / 1000.0))`;
}

async function addDemandBlocks(client: PoolClient, live: readonly LiveChange[]): Promise<void> {
  const parts = live.flatMap(({ state, demand, demandToWrite }) =>
    demandToWrite.map((block) => ({ serial: state.serial, lastMs: demand.lastMs, ...block })),
  );
  // A part that was written already ends no later than what is there: the same plan again adds nothing.
  await prepared(client, "add-demand-blocks", [
    parts.map(({ serial }) => serial),
    parts.map(({ startMs }) => startMs),
    parts.map(({ kwSeconds }) => kwSeconds),
    parts.map(({ coveredSeconds }) => coveredSeconds),
    parts.map(({ lastMs }) => lastMs),
  ])`
    insert into node_demand_block as b (serial_number, block_at, kw_seconds, covered_seconds, last_at)
      select s, to_timestamp(t / 1000.0), k, c, to_timestamp(l / 1000.0)
      from unnest($1::int4[], $2::float8[], $3::float8[], $4::float8[], $5::float8[]) as u (s, t, k, c, l) order by s, t
    on conflict (serial_number, block_at) do update set kw_seconds = b.kw_seconds + excluded.kw_seconds,
      covered_seconds = b.covered_seconds + excluded.covered_seconds, last_at = excluded.last_at
    where b.last_at < excluded.last_at`;
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
