import type { CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, plannedCount, prepared, type Db } from "#db/statement.ts";
import { placeOfNode } from "#shared/node-place-sql.ts";
import { timelineSql } from "#db/timeline-sql.ts";
import { quartersPerMonth } from "#lib/quarters.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { planes, type MonthRow } from "./quarter-window.ts";

/** A node as it is now. Times in epoch seconds. */
export interface CoverageNodeRow {
  serial: number;
  type: string;
  scalarInterval: number;
  dataInterval: number;
  /** Since when it is deployed; null for one that is not. */
  deployedAt: number | null;
  facilityId: number | null;
  facility: string | null;
  customer: string | null;
  location: string | null;
  timezone: string | null;
}

/** A stay of a node at a place. */
export interface StayRow {
  serial: number;
  startedAt: number;
  endedAt: number | null;
  timezone: string | null;
  /** It was nowhere else before. */
  isFirst: boolean;
}

/** A month of a node: a bit for each quarter of an hour, beginning with the highest of the first byte. */
export interface FleetMonthRow extends MonthRow {
  serial: number;
}

export interface FleetMonths {
  /** All transactions below have ended. */
  mark: string;
  timeline: string | null;
  rows: FleetMonthRow[];
}

export interface AskRow {
  id: number;
  kind: "D" | "S";
  from: number;
  to: number;
  fileCount: number;
  sentAt: number | null;
  askedBy: string;
  askedAt: number;
}

/** Intervals of a node's files, each as long as a step: runs of their numbers since 1970, each from one up to before another. */
export interface Intervals {
  serial: number;
  kind: "D" | "S";
  step: number;
  runs: readonly (readonly [number, number])[];
}

const monthBytes = quartersPerMonth / 8;
/** `bit_send` puts the number of bits before them. */
const bytesOf = (plane: string) => `substr(bit_send(${plane}), 5)`;
const nodeColumns = `n.serial_number as serial, n.type, n.scalar_interval_seconds as "scalarInterval", n.data_point_interval_seconds as "dataInterval",
  case when n.current_deployment_status = 'Deployed' then ${exactEpoch("n.current_deployment_status_updated_at")} end as "deployedAt",
  f.id as "facilityId", f.name as facility, c.name as customer, l.name as location, l.timezone`;
const stayColumns = `p.serial_number as serial, ${exactEpoch("p.started_at")} as "startedAt", ${exactEpoch("p.ended_at")} as "endedAt", l.timezone,
  p.id = b.id as "isFirst"`;
const firstStays = "join (select serial_number, min(id) as id from node_placement group by serial_number) b using (serial_number)";

const askColumns = `id::float8, kind, ${exactEpoch("from_at")} as from, ${exactEpoch("to_at")} as to, file_count as "fileCount",
  ${exactEpoch("sent_at")} as "sentAt", asked_by as "askedBy", ${exactEpoch("asked_at")} as "askedAt"`;
/** Files of intervals that are there and were not refused by extraction. */
const knownFile = "f.serial_number = $1 and f.kind = $2 and f.processed is not false";
const runsOf = "unnest($4::int8[], $5::int8[]) as r (first, past)";
const intervalValues = ({ serial, kind, step, runs }: Intervals) => [
  serial,
  kind,
  step,
  runs.map(([first]) => first),
  runs.map(([, past]) => past),
];

export type CoverageReadModel = ReturnType<typeof createCoverageReadModel>;

export function createCoverageReadModel(pool: Pool) {
  const read = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    await prepared<Row>(pool, name, values)`${text}`;

  /** Ten thousand rows as one text: read several times as fast as row by row. */
  const readMany = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const [row] = await read<{ rows: Row[] | null }>(name, `select json_agg(r) as rows from (${text}) r`, values);
    return row?.rows ?? [];
  };

  return {
    presence: () => createIngestPresenceStore(pool).periods(400),

    /** One node, or all for null. */
    nodes: (serial: number | null) =>
      readMany<CoverageNodeRow>(
        "coverage-nodes",
        `select ${nodeColumns} from node n ${placeOfNode} where $1::int4 is null or n.serial_number = $1 order by n.serial_number`,
        [serial],
      ),

    /** Each node's oldest first. */
    stays: (serial: number | null) =>
      readMany<StayRow>(
        "coverage-stays",
        `select ${stayColumns} from node_placement p ${firstStays} left join location l on l.id = p.location_id
         where $1::int4 is null or p.serial_number = $1 order by p.serial_number, p.id`,
        [serial],
      ),

    /** Of one node, in the order of months. */
    async months(serial: number, kind: CoverageKind, months: readonly string[]): Promise<MonthRow[]> {
      const rows = await read<MonthRow>(
        "coverage-of-node",
        `select month::text, ${planes.map((plane) => `${bytesOf(plane)} as ${plane}`).join(", ")} from coverage
         where kind = $1 and month = any($2::date[]) and serial_number = $3 order by month`,
        [kind, months, serial],
      );
      return rows;
    },

    /** What the names, places and stays of nodes come from: another one when any of them changed. */
    async directoryVersion(): Promise<string> {
      const [row] = await read<{ version: string }>(
        "coverage-directory-version",
        "select count(*) || ' ' || coalesce(sum(xid::text::numeric), 0) as version from directory_change",
        [],
      );
      return row!.version;
    },

    /**
     * Of all nodes: the rows that were written since a mark, all without one (decision 0002). All bits of a month come as one value: there are
     * ten thousand nodes.
     */
    async fleetMonths(kind: CoverageKind, months: readonly string[], since: string | null): Promise<FleetMonths> {
      const rows = await read<Pick<FleetMonths, "mark" | "timeline"> & { month: string | null } & Record<string, string | null>>(
        "coverage-of-fleet",
        `select p.mark, p.timeline, m.* from (select pg_snapshot_xmin(pg_current_snapshot())::text as mark, ${timelineSql} as timeline) p left join (
           select month::text, ${planes
             .flatMap((plane) => [
               `string_agg(serial_number::text, ',') filter (where ${plane} is not null) as "${plane}Serials"`,
               `string_agg(${bytesOf(plane)}, ''::bytea) filter (where ${plane} is not null) as ${plane}`,
             ])
             .join(", ")}
           from coverage where kind = $1 and month = any($2::date[]) and ($3::text is null or age(xmin) <= age($3::text::xid8::xid))
           group by month) m on true`,
        [kind, months, since],
      );
      const found: FleetMonths = { mark: rows[0]!.mark, timeline: rows[0]!.timeline, rows: [] };
      for (const { month, ...columns } of rows) {
        if (month === null) continue;
        const ofMonth = new Map<number, FleetMonthRow>();
        for (const plane of planes) {
          const bytes = columns[plane] as Buffer | null | undefined;
          if (!bytes) continue;
          for (const [place, text] of columns[`${plane}Serials`]!.split(",").entries()) {
            const serial = Number(text);
            const own = bytes.subarray(place * monthBytes, (place + 1) * monthBytes);
            let row = ofMonth.get(serial);
            if (!row)
              ofMonth.set(serial, (row = { serial, month, received: own, partly: null, late: null, backfilled: null, failed: null }));
            row[plane] = own;
          }
        }
        for (const row of ofMonth.values()) found.rows.push(row);
      }
      return found;
    },

    /** Nodes of which something came before a month. */
    async earlier(serial: number | null, kind: CoverageKind, month: string): Promise<Set<number>> {
      const rows = await read<{ serial: number }>(
        "coverage-earlier",
        "select distinct serial_number as serial from coverage where kind = $1 and month < $2 and ($3::int4 is null or serial_number = $3)",
        [kind, month, serial],
      );
      return new Set(rows.map(({ serial }) => serial));
    },

    asks: (serial: number) =>
      read<AskRow>("coverage-asks", `select ${askColumns} from file_ask where serial_number = $1 order by id desc limit 10`, [serial]),

    /** Of all nodes, for files of a time: those since a moment, the oldest first. */
    asksSince: (kind: CoverageKind, since: number, from: number, to: number) =>
      read<AskRow & { serial: number }>(
        "coverage-asks-since",
        `select serial_number as serial, ${askColumns} from file_ask
         where kind = $1 and asked_at > to_timestamp($2) and from_at < to_timestamp($4) and to_at > to_timestamp($3) order by id`,
        [kind, since, from, to],
      ),

    /** All for files of a time, the newest first. */
    async overlappingAsks(db: Db, serial: number, kind: "D" | "S", from: number, to: number): Promise<AskRow[]> {
      return await prepared<AskRow>(db, "overlapping-file-asks", [serial, kind, from, to])`select ${askColumns} from file_ask
        where serial_number = $1 and kind = $2 and from_at < to_timestamp($4) and to_at > to_timestamp($3) order by id desc`;
    },

    async countKnownFiles(intervals: Intervals): Promise<number> {
      const [row] = await read<{ count: number }>(
        "coverage-count-known-files",
        `select count(distinct f.ts)::float8 as count from ${runsOf} join data_file f
           on f.ts >= to_timestamp(r.first * $3::int8) and f.ts < to_timestamp(r.past * $3::int8)
         where ${knownFile} and extract(epoch from f.ts) % $3 = 0`,
        intervalValues(intervals),
      );
      return row!.count;
    },

    /** Times of the intervals that have no known file. */
    async missingFiles(intervals: Intervals): Promise<number[]> {
      const rows = await read<{ at: number }>(
        "coverage-missing-files",
        `select (i * $3::int8)::float8 as at from ${runsOf} cross join generate_series(r.first, r.past - 1) i
         where not exists (select from data_file f where ${knownFile} and f.ts = to_timestamp(i * $3::int8)) order by i`,
        intervalValues(intervals),
      );
      return rows.map(({ at }) => at);
    },

    /** Inside the caller's transaction, which holds the node; false: it is not there. */
    async holdNode(client: PoolClient, serial: number): Promise<boolean> {
      const rowCount = await plannedCount(client, "hold-asked-node", [serial])`
        select from node where serial_number = $1 for no key update`;
      return rowCount === 1;
    },

    async insertAsk(
      client: PoolClient,
      ask: Pick<AskRow, "kind" | "from" | "to" | "askedBy" | "askedAt"> & { serial: number; parts: readonly (readonly string[])[] },
    ): Promise<number> {
      const rows = await planned<{ id: number }>(client, "insert-file-ask", [
        ask.serial,
        ask.kind,
        ask.from,
        ask.to,
        ask.parts.flat().length,
        ask.askedBy,
        ask.askedAt,
        ask.parts.map((names) => JSON.stringify({ names })),
      ])`
        with ask as (
          insert into file_ask (serial_number, kind, from_at, to_at, file_count, asked_by, asked_at)
          values ($1, $2, to_timestamp($3), to_timestamp($4), $5, $6, to_timestamp($7)) returning id),
        part as (insert into file_request (serial_number, request, requested_at, ask_id)
          select $1, r, to_timestamp($7), ask.id from ask, unnest($8::jsonb[]) with ordinality as u (r, place) order by place)
        select id::float8 from ask`;
      return rows[0]!.id;
    },
  };
}
