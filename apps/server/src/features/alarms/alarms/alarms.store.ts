import { alarmKinds, momentaryAlarmKinds, type AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import { measuredLine } from "@busbar/alarms/measured-line.ts";
import type { AlarmChange } from "@busbar/alarms/node-alarms.ts";
import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import { gpEventAction } from "@busbar/contract/system/feeds.ts";
import { equipmentTypesWithSecondaryNode } from "@busbar/contract/values/option-lists.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared, preparedCount } from "#db/statement.ts";
import { nameplateOf } from "#shared/nameplate-sql.ts";

/** What a node's alarms are judged by. */
export interface MonitoredNodeRow {
  serialNumber: number;
  locationId: number | null;
  /** Of a field winding's node: the node of the machine whose field it is. */
  machineSerial: number | null;
  scalarIntervalSeconds: number;
  activeVa: boolean;
  activeVb: boolean;
  activeVc: boolean;
  activeIa: boolean;
  activeIb: boolean;
  activeIc: boolean;
  voltageImbalanceThreshold: number;
  currentImbalanceThreshold: number;
  voltageThdThreshold: number;
  currentThdThreshold: number;
  overVoltageThreshold: number;
  underVoltageThreshold: number;
  shortTermOverCurrentThreshold: number;
  shortTermOverCurrentAveragingPeriod: number;
  longTermOverCurrentThreshold: number;
  longTermOverCurrentAveragingPeriod: number;
  stopEventOfInterestThreshold: number;
  lossOfPhaseTransientThreshold: number;
  viMinimumVoltageThreshold: number;
  /** One circuit, on the first channel. */
  isDirect: boolean;
  npVoltage: number | null;
  npCurrent: number | null;
  /** What the node last reported of its configuration; null when it never did. */
  vNoise: string | null;
  iNoise: string | null;
  startSeconds: string | null;
}

export interface ScalarRow {
  serialNumber: number;
  /** Epoch seconds. */
  at: number;
  i1: number | null;
  i2: number | null;
  i3: number | null;
  v1: number | null;
  v2: number | null;
  v3: number | null;
}

/** Whose scalars are read, after which time, and of how many seconds each is the mean. */
export interface ScalarRange {
  serialNumber: number;
  after: number;
  meanSeconds: number;
}

/** A measurement and when it was reported, epoch seconds. */
export interface LastMeasurement {
  value: number;
  at: number;
}
export type LastMeasurements = { serialNumber: number } & Partial<Record<"i1" | "i2" | "i3" | "v1" | "v2" | "v3", LastMeasurement>>;

export interface NodeAlarmChange extends AlarmChange {
  serialNumber: number;
  locationId: number | null;
}

const configKeys = { vNoise: "v_noise", iNoise: "i_noise", startSeconds: "start_seconds" };
const judgedBy = `n.serial_number as "serialNumber", a.location_id as "locationId", m.serial_number as "machineSerial",
  scalar_interval_seconds as "scalarIntervalSeconds",
  active_va as "activeVa", active_vb as "activeVb", active_vc as "activeVc", active_ia as "activeIa", active_ib as "activeIb", active_ic as "activeIc",
  voltage_imbalance_threshold as "voltageImbalanceThreshold", current_imbalance_threshold as "currentImbalanceThreshold",
  voltage_thd_threshold as "voltageThdThreshold", current_thd_threshold as "currentThdThreshold",
  over_voltage_threshold as "overVoltageThreshold", under_voltage_threshold as "underVoltageThreshold",
  short_term_over_current_threshold as "shortTermOverCurrentThreshold",
  short_term_over_current_averaging_period as "shortTermOverCurrentAveragingPeriod",
  long_term_over_current_threshold as "longTermOverCurrentThreshold",
  long_term_over_current_averaging_period as "longTermOverCurrentAveragingPeriod",
  stop_event_of_interest_threshold as "stopEventOfInterestThreshold",
  loss_of_phase_transient_threshold as "lossOfPhaseTransientThreshold", vi_minimum_voltage_threshold as "viMinimumVoltageThreshold",
  (m.serial_number is not null or coalesce(c.config_values ->> 'eq_type' = 'dc', k.np_frequency = 0, l.equipment_type = 'DCMotor')) as "isDirect",
  ${nameplateOf("np_voltage")} as "npVoltage", ${nameplateOf("np_current")} as "npCurrent",
  ${Object.entries(configKeys)
    .map(([name, key]) => `c.config_values ->> '${key}' as "${name}"`)
    .join(", ")}`;
const monitored = `(select * from node where current_deployment_status = 'Deployed' and not disable_monitoring and type in ('Node', 'subNode')) n
  join node_assignment a using (serial_number) join location l on l.id = a.location_id
  left join node_assignment m on m.location_id = a.location_id and m.slot = 1 and a.slot = 2
    and l.equipment_type in (${equipmentTypesWithSecondaryNode.map((type) => `'${type}'`).join(", ")})
  left join node_config c on c.serial_number = n.serial_number left join node_nameplate k on k.serial_number = n.serial_number`;

export function createAlarmsStore(pool: Pool) {
  return {
    async monitoredNodes(): Promise<MonitoredNodeRow[]> {
      // A field's node directly behind its machine's.
      return await prepared<MonitoredNodeRow>(pool, "monitored-nodes")`
        select ${judgedBy} from ${monitored} order by coalesce(m.serial_number, n.serial_number), a.slot`;
    },

    /** Those of the given nodes that are monitored, with the signatures of their places as they are stored. */
    async monitoredNodesOf(serials: readonly number[]): Promise<(MonitoredNodeRow & { signatures: unknown })[]> {
      return await prepared<MonitoredNodeRow & { signatures: unknown }>(pool, "monitored-nodes-of", [serials])`
        select ${judgedBy}, l.harmonic_signatures as signatures from ${monitored} where n.serial_number = any ($1::int4[])`;
    },

    /**
     * Scalars of each node after its own time, up to a common one, in order of node and time; those of the same few seconds are one, their mean:
     * a node may send a hundred a second, and the past of all of them is held in memory. Times are epoch seconds.
     */
    async scalarsAfter(nodes: readonly ScalarRange[], until: number): Promise<ScalarRow[]> {
      // The outer bounds let the planner leave out partitions, the inner one follows the primary key.
      return await prepared<ScalarRow>(pool, "scalars-to-judge", [
        nodes.map(({ serialNumber }) => serialNumber),
        nodes.map(({ after }) => after),
        Math.min(...nodes.map(({ after }) => after)),
        until,
        nodes.map(({ meanSeconds }) => meanSeconds),
      ])`
        select n.serial as "serialNumber", ${exactEpoch("s.ts")} as at,
          s.i1, s.i2, s.i3, s.v1, s.v2, s.v3
        from unnest($1::int4[], $2::float8[], $5::float8[]) as n (serial, after, mean_seconds)
        cross join lateral (
          select max(ts) as ts, avg(current1)::real as i1, avg(current2)::real as i2, avg(current3)::real as i3, avg(voltage1)::real as v1, avg(voltage2)::real as v2, avg(voltage3)::real as v3
          from scalar where serial_number = n.serial and ts > to_timestamp(n.after) and ts > to_timestamp($3) and ts <= to_timestamp($4)
          group by date_bin(make_interval(secs => n.mean_seconds), ts, 'epoch')) s
        order by n.serial, s.ts`;
    },

    /** The last value of each measurement, those of births too; `ver,flag,epochMs,lf,i1,…`, and their times without `epochMs`. */
    async lastMeasurements(serials: readonly number[]): Promise<LastMeasurements[]> {
      const rows = await prepared<{ serialNumber: number; values: (number | null)[]; times: (number | null)[] }>(
        pool,
        "last-measurements",
        [serials],
      )`
        select serial_number as "serialNumber",
          string_to_array(last_scalar_data, ',', '')::float8[] as values, string_to_array(last_scalar_times, ',', '')::float8[] as times
        from node_live where serial_number = any ($1::int4[])`;
      return rows.map(({ serialNumber, values, times }) => {
        const measurement = (place: number): LastMeasurement | undefined => {
          const value = values[place];
          // What was stored before each value had its time has the time of the whole.
          const atMs = times[place - 1] ?? values[2];
          const isKnown = typeof value === "number" && typeof atMs === "number";
          return isKnown ? { value, at: atMs / 1000 } : undefined;
        };
        return {
          serialNumber,
          i1: measurement(4),
          i2: measurement(5),
          i3: measurement(6),
          v1: measurement(7),
          v2: measurement(8),
          v3: measurement(9),
        };
      });
    },

    /** Alarms that are raised, by node. */
    async openAlarms(): Promise<Map<number, Map<AlarmKind, number>>> {
      const rows = await planned<{ serialNumber: number; kind: string; raisedAt: number }>(pool, "open-alarms")`
        select serial_number as "serialNumber", kind, ${exactEpoch("raised_at")} as "raisedAt" from alarm where cleared_at is null`;
      const open = new Map<number, Map<AlarmKind, number>>();
      for (const { serialNumber, kind, raisedAt } of rows) {
        const known = alarmKinds.find((each) => each === kind);
        if (known) open.set(serialNumber, (open.get(serialNumber) ?? new Map<AlarmKind, number>()).set(known, raisedAt));
      }
      return open;
    },

    /** Epoch seconds; undefined before the first evaluation. */
    async evaluatedUntil(): Promise<number | undefined> {
      const rows = await planned<{ until: number }>(pool, "alarms-evaluated-until")`
        select ${exactEpoch("evaluated_until")} as until from alarm_evaluation`;
      return rows[0]?.until;
    },

    async setEvaluatedUntil(until: number): Promise<void> {
      await planned(pool, "set-alarms-evaluated-until", [until])`insert into alarm_evaluation (evaluated_until) values (to_timestamp($1))
        on conflict (is_only) do update set evaluated_until = excluded.evaluated_until`;
    },
  };
}
export type AlarmsStore = ReturnType<typeof createAlarmsStore>;

/** Returns those that are new: what was written by a run that did not come to its end is not written twice. */
export async function insertRaised(client: PoolClient, raised: readonly NodeAlarmChange[]): Promise<NodeAlarmChange[]> {
  const rows = await prepared<{ place: number }>(client, "raise-alarms", [
    raised.map(({ serialNumber }) => serialNumber),
    raised.map(({ locationId }) => locationId),
    raised.map(({ kind }) => kind),
    raised.map(({ at }) => at),
    raised.map(({ value }) => value ?? null),
    raised.map(({ limit }) => limit),
    raised.map(({ kind }) => momentaryAlarmKinds.has(kind)),
  ])`
    with given as (
      select * from unnest($1::int4[], $2::int4[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::bool[]) with ordinality
        as g (serial, location, kind, at, value, threshold, is_momentary, place)),
    added as (insert into alarm (serial_number, location_id, kind, raised_at, cleared_at, value, threshold)
      select serial, location, kind, to_timestamp(at), case when is_momentary then to_timestamp(at) end, value, threshold from given
      on conflict do nothing returning serial_number, kind, raised_at)
    select (g.place - 1)::int4 as place from given g
    join added a on a.serial_number = g.serial and a.kind = g.kind and a.raised_at = to_timestamp(g.at)`;
  return rows.flatMap(({ place }) => raised[place] ?? []);
}

/** Counts them on the dashboard, where a node's own events count too, and lists them among the node's events. */
export async function insertAlarmEvents(client: PoolClient, raised: readonly NodeAlarmChange[]): Promise<void> {
  await prepared(client, "insert-alarm-events", [
    raised.map(({ serialNumber }) => serialNumber),
    raised.map(({ at }) => at),
    raised.map(({ kind }) => kind),
    raised.map(({ at, value, limit, name }) =>
      JSON.stringify({ at, value: value ?? null, limit, ...(name === undefined ? {} : { name }) }),
    ),
    raised.map((alarm) => descriptionOf(alarm)),
    gpEventAction,
  ])`
    with given as (
      select * from unnest($1::int4[], $2::float8[], $3::text[], $4::jsonb[], $5::text[]) as e (serial, at, kind, body, description)),
    added as (
      insert into node_event (serial_number, ts, kind, body) select serial, to_timestamp(at), kind, body from given
      on conflict (serial_number, ts, kind) do nothing returning serial_number, ts, kind),
    listed as (
      insert into activity (actor_type, actor, action, object, description, after)
      select 'Node', serial::text, $6, a.kind, description, body
      from added a join given g on g.serial = a.serial_number and to_timestamp(g.at) = a.ts and g.kind = a.kind order by ts),
    counted as (select serial_number, count(*)::int4 as added from added group by serial_number),
    -- In the order in which ingest takes them, so that neither waits for the other.
    locked as materialized (
      select serial_number from node_live where serial_number in (select serial_number from counted) order by serial_number for no key update)
    update node_live l set event_count = l.event_count + counted.added, changed_xid = pg_current_xact_id()
    from counted join locked using (serial_number) where l.serial_number = counted.serial_number`;
}

const displayNames = new Map(defaultFaultLibraryFlags.map(({ name, display_name }) => [name, display_name]));

function descriptionOf(alarm: NodeAlarmChange): string {
  const measured = measuredLine(alarm);
  const time = new Date(alarm.at * 1_000).toISOString().slice(0, 19).replace("T", " ");
  const title = `${displayNames.get(alarm.kind) ?? alarm.kind} of node ${alarm.serialNumber} at ${time} UTC`;
  return measured === undefined ? title : `${title}. ${measured}`;
}

export async function clearAlarms(client: PoolClient, cleared: readonly NodeAlarmChange[]): Promise<void> {
  await prepared(client, "clear-alarms", [
    cleared.map(({ serialNumber }) => serialNumber),
    cleared.map(({ kind }) => kind),
    cleared.map(({ at }) => at),
  ])`
    update alarm a set cleared_at = to_timestamp(u.at), changed_xid = pg_current_xact_id()
    from unnest($1::int4[], $2::text[], $3::float8[]) as u (serial, kind, at)
    where a.serial_number = u.serial and a.kind = u.kind and a.cleared_at is null`;
}

/** Alarms of nodes that no one watches any more end: taken away, retired, or monitoring switched off. */
export async function clearAlarmsExceptOf(client: PoolClient, serials: readonly number[], at: number): Promise<number> {
  return await preparedCount(client, "clear-unwatched-alarms", [serials, at])`
    update alarm set cleared_at = to_timestamp($2), changed_xid = pg_current_xact_id() where cleared_at is null and serial_number <> all ($1::int4[])`;
}
