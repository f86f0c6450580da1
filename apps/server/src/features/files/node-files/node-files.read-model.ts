import type { DataFileKind, DataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { NodeFilesSummary } from "@busbar/contract/files/node-files.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

/** A stored file with the place of its node. Times in epoch seconds. */
export interface FileRow {
  timestamp: number;
  fileName: string;
  processed: boolean | null;
  location: string;
  timezone: string | null;
  failedReason: string | null;
  serialNumber: number;
  kind: DataFileKind;
  interval: number;
  size: number;
  receivedTimestamp: number;
  hash: Buffer;
  md5: string;
  isGzip: boolean;
}

export interface FilesQuery {
  serial: number;
  before: number | undefined;
  after: number | undefined;
  limit: number;
  kinds: readonly DataFileKind[];
}

const columns = `${epochSeconds("f.ts")} as timestamp, f.file_name as "fileName", f.processed, coalesce(l.name, '') as location, l.timezone,
  f.failed_reason as "failedReason", f.serial_number as "serialNumber", f.kind, f.interval_seconds as interval, f.stored_bytes as size,
  ${epochSeconds("f.received_at")} as "receivedTimestamp", f.content_hash as hash, encode(f.md5, 'hex') as md5, f.is_gzip as "isGzip"`;
const place = "left join node_assignment a using (serial_number) left join location l on l.id = a.location_id";

export type NodeFilesReadModel = ReturnType<typeof createNodeFilesReadModel>;

export function createNodeFilesReadModel(pool: Pool) {
  const select = async (name: string, range: string, order: "asc" | "desc", query: FilesQuery, edge: number | undefined) => {
    // Files of one time stay together: a page that ended between them could not be gone on from by its time.
    return await prepared<FileRow>(pool, `files-${name}`, [query.serial, query.kinds, query.limit, ...(edge === undefined ? [] : [edge])])`
      select ${columns} from (
      select * from data_file where serial_number = $1 and kind = any($2) ${range}
      order by ts ${order} fetch first $3 rows with ties) f ${place} order by f.ts desc, f.kind, f.part`;
  };

  return {
    /** Newest first: the oldest files after a time, the newest before one, or the newest of all. */
    async list(query: FilesQuery): Promise<FileRow[]> {
      if (query.after !== undefined) return select("after", "and ts > to_timestamp($4)", "asc", query, query.after);
      if (query.before !== undefined) return select("before", "and ts < to_timestamp($4)", "desc", query, query.before);
      return select("latest", "", "desc", query, undefined);
    },

    async find({ serial, timestamp, kind }: DataFileName, part: string): Promise<FileRow | undefined> {
      const rows = await prepared<FileRow>(pool, "find-file", [serial, timestamp, kind, part])`
        select ${columns} from data_file f ${place}
        where f.serial_number = $1 and f.ts = to_timestamp($2) and f.kind = $3 and f.part = $4`;
      return rows[0];
    },

    async summary(serial: number): Promise<NodeFilesSummary | undefined> {
      const edge = (order: "asc" | "desc") =>
        `(select ${epochSeconds("ts")} from data_file where serial_number = n.serial_number order by ts ${order} limit 1)`;
      const rows = await prepared<NodeFilesSummary>(pool, "files-summary", [serial])`
        select n.serial_number::text as "serialNumber", n.type, coalesce(l.name, n.unassigned_location) as location,
          coalesce(f.name, n.unassigned_facility) as facility, coalesce(c.name, n.unassigned_customer) as customer, l.id as "locationId", l.timezone,
          n.data_point_interval_seconds as "dataInterval", v.is_connected as "isConnected", ${edge("asc")} as "earliestTimestamp",
          ${edge("desc")} as "latestTimestamp"
        from node n join node_live v using (serial_number) left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
        left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id where n.serial_number = $1`;
      return rows[0];
    },
  };
}
