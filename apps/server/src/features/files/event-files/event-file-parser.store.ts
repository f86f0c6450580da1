import type { PoolClient, Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { isNext } from "#services/queue-sql.ts";
import { fileItemSql } from "#shared/file-item-sql.ts";

/** An event file that waits for its parser, with what its node is. */
export interface PendingEventRow {
  serial: number;
  /** Epoch seconds, of the file's name. */
  timestamp: number;
  part: string;
  fileName: string;
  hash: Buffer;
  isGzip: boolean;
  receivedAt: number;
  /** Null when there is no such node. */
  nodeType: string | null;
  isDecommissioned: boolean;
}

/** The other file of a pair. */
export type PartnerRow = Pick<PendingEventRow, "part" | "fileName" | "hash" | "isGzip">;

export interface NodeEventRow {
  serial: number;
  /** Epoch seconds; the number within the second as milliseconds. */
  at: number;
  kind: string;
  body: Record<string, string>;
  /** Name of the file up to its extension. */
  stem: string;
}

export type EventFileParserStore = ReturnType<typeof createEventFileParserStore>;

export function createEventFileParserStore(pool: Pool) {
  return {
    /** In the order of arrival. */
    async findPending(limit: number, ids: readonly string[] | null): Promise<PendingEventRow[]> {
      const { rows } = await pool.query<PendingEventRow>({
        name: "find-pending-events",
        text: `select f.serial_number as serial, ${exactEpoch("f.ts")} as timestamp, f.part,
            f.file_name as "fileName", f.content_hash as hash, f.is_gzip as "isGzip", ${exactEpoch("f.received_at")} as "receivedAt",
            n.type as "nodeType", (d.serial_number is not null or n.current_deployment_status = 'Decommissioned') as "isDecommissioned"
          from (select * from data_file where processed is null and kind = 'E'
            and ${isNext("EventFileParser", "file", fileItemSql, "$2")} order by received_at limit $1) f
          left join node n using (serial_number) left join decommissioned_node d using (serial_number)`,
        values: [limit, ids],
      });
      return rows;
    },

    async findPartner({ serial, timestamp, part }: PendingEventRow): Promise<PartnerRow | undefined> {
      if (!/\.(cfg|dat)$/.test(part)) return undefined;
      const { rows } = await pool.query<PartnerRow>({
        name: "find-event-partner",
        text: `select part, file_name as "fileName", content_hash as hash, is_gzip as "isGzip" from data_file
          where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3`,
        values: [serial, timestamp, part.slice(0, -3) + (part.endsWith("cfg") ? "dat" : "cfg")],
      });
      return rows[0];
    },

    /**
     * Inside the caller's transaction. @returns false when the file was replaced meanwhile, or its pair was finished with it; then
     * nothing is written
     */
    async finish(
      client: PoolClient,
      file: PendingEventRow,
      partner: PartnerRow | undefined,
      failedReason: string | null,
      now: number,
    ): Promise<boolean> {
      const { rows } = await client.query<{ part: string }>({
        name: "finish-event-file",
        text: `update data_file set processed = $5::text is null, failed_reason = $5, extracted_at = to_timestamp($6)
          where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3 and content_hash = $4 and processed is null returning part`,
        values: [file.serial, file.timestamp, file.part, file.hash, failedReason, now],
      });
      if (rows.length === 0 || !partner) return rows.length > 0;
      await client.query({
        name: "finish-event-partner",
        text: `update data_file set processed = $5::text is null, failed_reason = $5, extracted_at = to_timestamp($6)
          where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3 and content_hash = $4`,
        values: [file.serial, file.timestamp, partner.part, partner.hash, failedReason, now],
      });
      return true;
    },

    /** What is known of the event already: by the node's own word or by another file of the same name. */
    async findEvent(client: PoolClient, { serial, at, stem }: NodeEventRow): Promise<{ kind: string; at: number } | undefined> {
      const { rows } = await client.query<{ kind: string; at: number }>({
        name: "find-node-event",
        text: `select kind, ${exactEpoch("ts")} as at from node_event
          where serial_number = $1 and ts between to_timestamp($2) - interval '1 day' and to_timestamp($2) + interval '1 day'
            and starts_with(body->>'fileName', $3) limit 1`,
        values: [serial, at, `${stem}.`],
      });
      return rows[0];
    },

    /** Counts it on the dashboard. */
    async addEvent(client: PoolClient, { serial, at, kind, body }: NodeEventRow): Promise<void> {
      await client.query({
        name: "add-file-event",
        text: `with added as (
            insert into node_event (serial_number, ts, kind, body) values ($1, to_timestamp($2), $3, $4)
            on conflict (serial_number, ts, kind) do nothing returning serial_number)
          update node_live l set event_count = l.event_count + 1, changed_xid = pg_current_xact_id() from added
          where l.serial_number = added.serial_number`,
        values: [serial, at, kind, JSON.stringify(body)],
      });
    },

    /** Another file of the same event says more. */
    async changeEvent(client: PoolClient, oldKind: string, { serial, at, kind, body }: NodeEventRow): Promise<void> {
      await client.query({
        name: "change-file-event",
        text: `update node_event set kind = $4, body = $5 where serial_number = $1 and ts = to_timestamp($2) and kind = $3`,
        values: [serial, at, oldKind, kind, JSON.stringify(body)],
      });
    },
  };
}
