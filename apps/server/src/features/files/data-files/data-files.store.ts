import { dataFileName, type DataFileKind, type DataFileName } from "@busbar/contract/files/data-file-name.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared, preparedCount } from "#db/statement.ts";
import { coverFiles } from "#shared/coverage.store.ts";
import { bytesGone } from "#lib/stored-file.ts";

/** A file whose bytes are in the file store. */
export interface NewDataFile {
  parsed: DataFileName;
  hash: Buffer;
  /** Lower-case hex. */
  md5: string;
  storedBytes: number;
  isGzip: boolean;
  receivedAtMs: number;
  source: "node" | "upload";
}

/** What a node is asked for, and how it is spoken to. */
export interface FileRequest {
  serial: number;
  /** The edge node that a sub node is reached through. */
  parentSerial: number | null;
  request: unknown;
  /** The alias that the birth gave requests for files. */
  alias: number | null;
}

export type StoreOutcome = "stored" | "known" | "replaced";

/** What distinguishes files of one node, time and kind. */
export function filePart({ kind, interval, extension }: Pick<DataFileName, "kind" | "interval" | "extension">): string {
  return kind === "E" || kind === "X" ? `${String(interval).padStart(4, "0")}.${extension}` : "";
}

/** Event files have a number where the others have their interval. */
const intervalOf = ({ kind, interval }: DataFileName) => (kind === "E" ? 0 : interval);

export function fileKey({ serial, timestamp, kind }: Pick<DataFileName, "serial" | "timestamp" | "kind">, part: string): string {
  return `${serial} ${timestamp} ${kind} ${part}`;
}

export interface KnownFile {
  serial: number;
  timestamp: number;
  kind: DataFileKind;
  part: string;
  md5: string;
}

const bornMetrics = `case when n.parent_serial_number is null then b.metrics -> 'metrics'
  else (select d -> 'metrics' from jsonb_array_elements(b.metrics -> 'devices') d where d ->> 'id' = n.serial_number::text) end`;

export type DataFilesStore = ReturnType<typeof createDataFilesStore>;

export function createDataFilesStore(pool: Pool) {
  return {
    /**
     * Stores rows inside the caller's transaction, each file at most once per call. Other bytes under a known name replace the old ones and wait for extraction;
     * so do the same when they had been lost.
     * @returns what became of each, in their order
     */
    async store(client: PoolClient, files: readonly NewDataFile[]): Promise<StoreOutcome[]> {
      const rows = await prepared<{ serial: number; timestamp: number; kind: DataFileKind; part: string; isNew: boolean }>(
        client,
        "store-data-files",
        [
          files.map(({ parsed }) => parsed.serial),
          files.map(({ parsed }) => parsed.timestamp),
          files.map(({ parsed }) => parsed.kind),
          files.map(({ parsed }) => filePart(parsed)),
          files.map(({ parsed }) => dataFileName(parsed)),
          files.map(({ parsed }) => intervalOf(parsed)),
          files.map(({ hash }) => hash),
          files.map(({ md5 }) => Buffer.from(md5, "hex")),
          files.map(({ storedBytes }) => storedBytes),
          files.map(({ isGzip }) => isGzip),
          files.map(({ receivedAtMs }) => receivedAtMs),
          files.map(({ source }) => source),
          bytesGone,
        ],
      )`
        insert into data_file as f (serial_number, ts, kind, part, file_name, interval_seconds, content_hash, md5,
          stored_bytes, is_gzip, received_at, source)
        select s, to_timestamp(t), k, p, n, i, h, m, b, g, to_timestamp(r / 1000), o
        from unnest($1::int4[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::bytea[], $8::bytea[], $9::int4[], $10::bool[],
          $11::float8[], $12::text[]) as u (s, t, k, p, n, i, h, m, b, g, r, o) order by s, t, k, p
        on conflict (serial_number, ts, kind, part) do update set file_name = excluded.file_name, interval_seconds = excluded.interval_seconds,
          content_hash = excluded.content_hash, md5 = excluded.md5, stored_bytes = excluded.stored_bytes, is_gzip = excluded.is_gzip,
          received_at = excluded.received_at, source = excluded.source, processed = null, failed_reason = null, extracted_at = null,
          data_analysis_processed = null
        where f.md5 <> excluded.md5 or f.failed_reason = $13
        returning f.serial_number as serial, ${exactEpoch("f.ts")} as timestamp, f.kind, f.part, (f.xmax = 0) as "isNew"`;
      const outcomes = new Map(rows.map((row) => [fileKey(row, row.part), row.isNew ? ("stored" as const) : ("replaced" as const)]));
      const outcomeOf = ({ parsed }: NewDataFile) => outcomes.get(fileKey(parsed, filePart(parsed))) ?? "known";
      await coverFiles(
        client,
        files.filter((file) => outcomeOf(file) !== "known"),
      );
      return files.map(outcomeOf);
    },

    /** Those of the named files that are stored, with their digests. */
    async findKnown(names: readonly DataFileName[]): Promise<KnownFile[]> {
      return await prepared<KnownFile>(pool, "find-known-files", [
        names.map(({ serial }) => serial),
        names.map(({ timestamp }) => timestamp),
        names.map(({ kind }) => kind),
        names.map(filePart),
      ])`
        select f.serial_number as serial, ${exactEpoch("f.ts")} as timestamp, f.kind, f.part, encode(f.md5, 'hex') as md5
        from data_file f join unnest($1::int4[], $2::float8[], $3::text[], $4::text[]) as n (s, t, k, p)
        on f.serial_number = n.s and f.ts = to_timestamp(n.t) and f.kind = n.k and f.part = n.p`;
    },

    /** The node that a file is uploaded for; with a customer only a node of its. */
    async findUploadNode(serial: number, customerId: number | undefined): Promise<{ isDecommissioned: boolean } | undefined> {
      const rows = await prepared<{ isDecommissioned: boolean }>(pool, "find-upload-node", [serial, customerId ?? null])`
        select (d.serial_number is not null or n.current_deployment_status = 'Decommissioned') as "isDecommissioned"
        from node n left join decommissioned_node d using (serial_number) left join node_assignment a using (serial_number)
        left join location l on l.id = a.location_id left join facility f on f.id = l.facility_id
        where n.serial_number = $1 and ($2::int4 is null or f.customer_id = $2)`;
      return rows[0];
    },

    /** Lets extraction read a file again, and says who asked for it. False when there is no such file. */
    async extractAgain(fileName: string, { serial, timestamp, kind }: DataFileName, part: string, username: string): Promise<boolean> {
      const rowCount = await preparedCount(pool, "extract-again", [serial, timestamp, kind, part, username, fileName])`with asked as (
          update data_file set processed = null, failed_reason = null, extracted_at = null
          where serial_number = $1 and ts = to_timestamp($2) and kind = $3 and part = $4 and file_name = $6 returning file_name)
        insert into activity (actor_type, actor, action, object, description)
        select 'User', $5, 'EXTRACT_FILE', file_name, 'File ' || file_name || ' is extracted again' from asked`;
      return rowCount === 1;
    },

    /**
     * Takes requests to nodes that are connected now, one of each node; who takes one sends it, a sub node's through its parent. Old ones
     * are forgotten.
     */
    async takeRequests({ before, now }: { before: Date; now: Date }, limit: number): Promise<FileRequest[]> {
      return await prepared<FileRequest>(pool, "take-file-requests", [before, limit, metricNames.fileRequest, now])`
        with expired as (delete from file_request where requested_at < $1), taken as (
          delete from file_request where id in (
            select r.id from (select distinct on (serial_number) * from file_request where requested_at >= $1 order by serial_number, id) next
              join file_request r using (id) join node n on n.serial_number = r.serial_number join node_live l on l.serial_number = r.serial_number
              left join node_live p on p.serial_number = n.parent_serial_number
            where l.is_connected and coalesce(p.is_connected, true) order by r.id limit $2 for update of r skip locked)
          returning serial_number, request, ask_id),
        noted as (update file_ask set sent_at = $4 where id in (select ask_id from taken) and sent_at is null)
        select n.serial_number as serial, n.parent_serial_number as "parentSerial", t.request, (
          select (m ->> 1)::float8 from jsonb_array_elements(nullif(${bornMetrics}, 'null')) m where m ->> 0 = $3) as alias
        from taken t join node n using (serial_number)
          left join node_birth b on b.serial_number = coalesce(n.parent_serial_number, n.serial_number)`;
    },
  };
}
