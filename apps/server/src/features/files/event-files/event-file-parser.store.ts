import type { PoolClient, Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
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
      return await prepared<PendingEventRow>(pool, "find-pending-events", [limit, ids])`
        select f.serial_number as serial, ${exactEpoch("f.ts")} as timestamp, f.part,
          f.file_name as "fileName", f.content_hash as hash, f.is_gzip as "isGzip", ${exactEpoch("f.received_at")} as "receivedAt",
          n.type as "nodeType", (d.serial_number is not null or n.current_deployment_status = 'Decommissioned') as "isDecommissioned"
        from (select * from data_file where processed is null and kind = 'E'
          and ${isNext("EventFileParser", "file", fileItemSql, "$2")} order by received_at limit $1) f
        left join node n using (serial_number) left join decommissioned_node d using (serial_number)`;
    },

    async findPartner({ serial, timestamp, part }: PendingEventRow): Promise<PartnerRow | undefined> {
      if (!/\.(cfg|dat)$/.test(part)) return undefined;
      const rows = await prepared<PartnerRow>(pool, "find-event-partner", [
        serial,
        timestamp,
        part.slice(0, -3) + (part.endsWith("cfg") ? "dat" : "cfg"),
      ])`
        select part, file_name as "fileName", content_hash as hash, is_gzip as "isGzip" from data_file
        where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3`;
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
      const rows = await prepared<{ part: string }>(client, "finish-event-file", [
        file.serial,
        file.timestamp,
        file.part,
        file.hash,
        failedReason,
        now,
      ])`
        update data_file set processed = $5::text is null, failed_reason = $5, extracted_at = to_timestamp($6)
        where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3 and content_hash = $4 and processed is null returning part`;
      if (rows.length === 0 || !partner) return rows.length > 0;
      await prepared(client, "finish-event-partner", [file.serial, file.timestamp, partner.part, partner.hash, failedReason, now])`
        update data_file set processed = $5::text is null, failed_reason = $5, extracted_at = to_timestamp($6)
        where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and part = $3 and content_hash = $4`;
      return true;
    },

    /** What is known of the event already: by the node's own word or by another file of the same name. */
    async findEvent(client: PoolClient, { serial, at, stem }: NodeEventRow): Promise<{ kind: string; at: number } | undefined> {
      const rows = await prepared<{ kind: string; at: number }>(client, "find-node-event", [serial, at, `${stem}.`])`
        select kind, ${exactEpoch("ts")} as at from node_event
        where serial_number = $1 and ts between to_timestamp($2) - interval '1 day' and to_timestamp($2) + interval '1 day'
          and starts_with(body->>'fileName', $3) limit 1`;
      return rows[0];
    },

    /** Counts it on the dashboard. */
    async addEvent(client: PoolClient, { serial, at, kind, body }: NodeEventRow): Promise<void> {
      await prepared(client, "add-file-event", [serial, at, kind, JSON.stringify(body)])`with added as (
          insert into node_event (serial_number, ts, kind, body) values ($1, to_timestamp($2), $3, $4)
          on conflict (serial_number, ts, kind) do nothing returning serial_number)
        update node_live l set event_count = l.event_count + 1, changed_xid = pg_current_xact_id() from added
        where l.serial_number = added.serial_number`;
    },

    /** Another file of the same event says more. */
    async changeEvent(client: PoolClient, oldKind: string, { serial, at, kind, body }: NodeEventRow): Promise<void> {
      await prepared(client, "change-file-event", [serial, at, oldKind, kind, JSON.stringify(body)])`
        update node_event set kind = $4, body = $5 where serial_number = $1 and ts = to_timestamp($2) and kind = $3`;
    },
  };
}
