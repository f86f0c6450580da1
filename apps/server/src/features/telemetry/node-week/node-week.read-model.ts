import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";

/** Births and deaths of a week beyond these are not read: a link that drops so often is no strip of times any more. */
const mostChanges = 1_000;

export interface WeekNode {
  type: string;
  isConnected: boolean;
  connectionChangedAt: number | null;
  scalarInterval: number;
  dataInterval: number;
  /** What there was before the week. */
  hadScalars: boolean;
  hadDataFiles: boolean;
  hadOneSecondFiles: boolean;
}

/** Epoch seconds. */
export interface ConnectionChange {
  at: number;
  isConnected: boolean;
}

/** Two that follow each other with more between them than expected; the first of all has none before it. */
export interface Step {
  before: number | null;
  at: number;
}

export interface Steps {
  steps: Step[];
  /** Of all. */
  last: number | null;
}

export function createNodeWeekReadModel(pool: Pool) {
  return {
    presence: () => createIngestPresenceStore(pool).periods(),

    async find(serialNumber: number, from: number): Promise<WeekNode | undefined> {
      const had = (rows: string) => `exists (select from ${rows} and ts < to_timestamp($2))`;
      const hadFile = (kind: "D" | "S") => had(`data_file where serial_number = $1 and kind = '${kind}'`);
      const rows = await prepared<WeekNode>(pool, "week-node", [serialNumber, from])`
        select n.type, v.is_connected as "isConnected", ${exactEpoch("v.connection_changed_at")} as "connectionChangedAt",
          n.scalar_interval_seconds as "scalarInterval", n.data_point_interval_seconds as "dataInterval",
          ${had("scalar where serial_number = $1")} as "hadScalars", ${hadFile("D")} as "hadDataFiles", ${hadFile("S")} as "hadOneSecondFiles"
        from node n join node_live v using (serial_number) where n.serial_number = $1`;
      return rows[0];
    },

    /** Those of a time, oldest first, and the last one before it. */
    async connectionChanges(serialNumber: number, from: number): Promise<ConnectionChange[]> {
      return await prepared<ConnectionChange>(pool, "week-connection-changes", [String(serialNumber), from])`
        select ${exactEpoch("ts")} as at, action = 'NODE_BIRTH' as "isConnected"
        from unnest(array['NODE_BIRTH', 'NODE_DEATH']) as k (kind) cross join lateral (
          (select ts, action from activity where actor = $1 and action = k.kind and ts >= to_timestamp($2) order by ts desc limit ${mostChanges})
          union all (select ts, action from activity where actor = $1 and action = k.kind and ts < to_timestamp($2) order by ts desc limit 1)) each
        order by ts`;
    },

    /**
     * Where more than `gapSeconds` are between two scalars. Looks from each scalar to the last one within the gap: a week of them is a
     * thousand probes of the key, not sixty thousand rows.
     */
    async scalarSteps(serialNumber: number, { from, to, gapSeconds }: { from: number; to: number; gapSeconds: number }): Promise<Steps> {
      const rows = await prepared<Step & Pick<Steps, "last">>(pool, "week-scalar-steps", [serialNumber, from, to, gapSeconds])`
        with recursive walk (before, at) as (
          (select null::timestamptz, ts from scalar where serial_number = $1 and ts >= to_timestamp($2) and ts <= to_timestamp($3) order by ts limit 1)
          union all
          select w.at, coalesce(
            (select ts from scalar where serial_number = $1 and ts > w.at and ts <= least(w.at + $4 * interval '1 second', to_timestamp($3))
               order by ts desc limit 1),
            (select ts from scalar where serial_number = $1 and ts > w.at + $4 * interval '1 second' and ts <= to_timestamp($3) order by ts limit 1))
          from walk w where w.at is not null)
        select ${exactEpoch("before")} as before, ${exactEpoch("at")} as at, ${exactEpoch("(select max(at) from walk)")} as last
        from walk where at is not null and (before is null or at - before > $4 * interval '1 second') order by at`;
      return toSteps(rows);
    },

    /** Where files of an interval are further apart than that, with room for a clock that is a little off. */
    async fileSteps(
      serialNumber: number,
      kind: "D" | "S",
      { from, to, gapSeconds }: { from: number; to: number; gapSeconds: number },
    ): Promise<Steps> {
      const rows = await prepared<Step & Pick<Steps, "last">>(pool, "week-file-steps", [serialNumber, kind, from, gapSeconds, to])`
        with followed as (
          select ts as at, lag(ts) over (order by ts) as before from data_file
          where serial_number = $1 and kind = $2 and ts >= to_timestamp($3) and ts <= to_timestamp($5))
        select ${exactEpoch("before")} as before, ${exactEpoch("at")} as at, ${exactEpoch("(select max(at) from followed)")} as last
        from followed where before is null or at - before > $4 * interval '1 second' order by at`;
      return toSteps(rows);
    },
  };
}
export type NodeWeekReadModel = ReturnType<typeof createNodeWeekReadModel>;

const toSteps = (rows: readonly (Step & Pick<Steps, "last">)[]): Steps => ({
  steps: rows.map(({ before, at }) => ({ before, at })),
  last: rows[0]?.last ?? null,
});
