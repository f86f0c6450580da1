import type { Pool } from "pg";
import { planned, plannedCount, prepared } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { WatchedEvent } from "./watched-event.ts";

export type NodeWatchStore = ReturnType<typeof createNodeWatchStore>;

export function createNodeWatchStore(pool: Pool) {
  return {
    /** A new watch of a node; what an earlier one left goes, and so does what others left that were never ended. */
    async begin(serial: number, seconds: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await planned(client, "forget-node-watches", [serial])`delete from node_watch where serial_number = $1 or expires_at < now()`;
        await planned(client, "forget-watched-events")`
          delete from node_watch_event e where not exists (select 1 from node_watch w where w.serial_number = e.serial_number)`;
        await planned(client, "begin-node-watch", [serial, seconds])`
          insert into node_watch (serial_number, expires_at) values ($1, now() + make_interval(secs => $2))`;
      });
    },

    async isTaken(serial: number): Promise<boolean> {
      const rowCount = await plannedCount(pool, "is-node-watch-taken", [serial])`
        select 1 from node_watch where serial_number = $1 and taken_at is not null`;
      return rowCount === 1;
    },

    async end(serial: number): Promise<void> {
      await planned(pool, "end-node-watch", [serial])`delete from node_watch where serial_number = $1`;
      await planned(pool, "delete-watched-events", [serial])`delete from node_watch_event where serial_number = $1`;
    },

    async readAfter(serial: number, id: string): Promise<(WatchedEvent & { id: string })[]> {
      return await planned<WatchedEvent & { id: string }>(pool, "read-watched-events", [serial, id])`
        select id, at_ms as "atMs", kind, topic, qos, detail, payload from node_watch_event
        where serial_number = $1 and id > $2 order by id limit 500`;
    },

    /** For ingest: who is to be watched. */
    async takeWatches(): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "take-node-watches")`
        with taken as (update node_watch set taken_at = now() where taken_at is null)
        select serial_number as serial from node_watch where expires_at > now()`;
      return rows.map(({ serial }) => serial);
    },

    async write(events: readonly (WatchedEvent & { serial: number })[]): Promise<void> {
      await prepared(pool, "write-watched-events", [
        events.map(({ serial }) => serial),
        events.map(({ atMs }) => atMs),
        events.map(({ kind }) => kind),
        events.map(({ topic }) => topic),
        events.map(({ qos }) => qos),
        events.map(({ detail }) => detail),
        events.map(({ payload }) => payload && Buffer.from(payload)),
      ])`
        insert into node_watch_event (serial_number, at_ms, kind, topic, qos, detail, payload)
        select * from unnest($1::int4[], $2::float8[], $3::text[], $4::text[], $5::int2[], $6::text[], $7::bytea[])`;
    },

    /** How often each reason was quarantined for a node and its sub nodes. */
    async quarantineCounts(serial: number): Promise<Map<string, number>> {
      const rows = await planned<{ reason: string; count: number }>(pool, "quarantine-of-node", [serial])`
        select reason, count::float8 as count from quarantine where serial_number = $1`;
      return new Map(rows.map(({ reason, count }) => [reason, count]));
    },

    /** What the platform expects of a node; undefined for a serial number that is none. */
    async findNode(serial: number): Promise<WatchedNode | undefined> {
      const rows = await planned<WatchedNode>(pool, "find-watched-node", [serial])`
        select n.type, n.scalar_interval_seconds as "scalarIntervalSeconds", v.is_connected as "isConnected",
          n.parent_serial_number as "parentSerial",
          array(select s.serial_number from node s where s.parent_serial_number = n.serial_number) as "subNodes"
        from node n join node_live v using (serial_number) where n.serial_number = $1`;
      return rows[0];
    },
  };
}

export interface WatchedNode {
  type: string;
  scalarIntervalSeconds: number;
  isConnected: boolean;
  parentSerial: number | null;
  subNodes: number[];
}
