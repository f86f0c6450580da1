import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { DownloadJob, DownloadStatus } from "@busbar/contract/files/downloads.ts";
import type { Pool, PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { planned, plannedCount, prepared, type Db } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";

export interface NewDownloadJob {
  id: string;
  userId: number;
  kind: DownloadJob["kind"];
  serial: number;
  from: number | null;
  to: number | null;
  address: string;
  createdAt: number;
  expiresAt: number;
}

/** A job that is to be worked on. */
export interface OpenDownloadJob extends NewDownloadJob {
  fileCount: number;
  isConnected: boolean;
}

export interface PackedFileRow {
  timestamp: number;
  kind: DataFileKind;
  part: string;
  fileName: string;
  hash: Buffer;
  isGzip: boolean;
  storedBytes: number;
  receivedAt: number;
}

const jobColumns = `id::text, kind, serial_number::text as "serialNumber", ${epochSeconds("from_at")} as "fromTimestamp", ${epochSeconds("to_at")} as "toTimestamp",
  case when expires_at <= to_timestamp($2) then 'Expired' else status end as status, file_count as "fileCount", packed_count as "packedCount",
  size::float8 as size, failed_reason as "failedReason", address, ${epochSeconds("created_at")} as "createdTimestamp", ${epochSeconds("expires_at")} as "expiresTimestamp"`;
const inRange = "($3::float8 is null or ts >= to_timestamp($3)) and ($4::float8 is null or ts <= to_timestamp($4))";

export type DownloadsStore = ReturnType<typeof createDownloadsStore>;

export function createDownloadsStore(pool: Pool) {
  return {
    /** The person's address, held until the end of the transaction: one request of a person is decided at a time. */
    async lockUser(client: PoolClient, userId: number): Promise<string | undefined> {
      const rows = await planned<{ email: string }>(client, "lock-download-user", [userId])`
        select email from app_user where id = $1 for no key update`;
      return rows[0]?.email;
    },

    async nodeExists(client: PoolClient, serial: number): Promise<boolean> {
      return (await plannedCount(client, "download-node", [serial])`select 1 from node where serial_number = $1`) === 1;
    },

    async countLive(client: PoolClient, userId: number, now: number): Promise<number> {
      const rows = await planned<{ count: number }>(client, "count-live-downloads", [userId, now])`
        select count(*)::int as count from download_job
        where user_id = $1 and status in ('Waiting', 'Packing', 'Ready') and expires_at > to_timestamp($2)`;
      return rows[0]?.count ?? 0;
    },

    async insert(client: PoolClient, job: NewDownloadJob): Promise<void> {
      await planned(client, "insert-download", [
        job.id,
        job.userId,
        job.kind,
        job.serial,
        job.from,
        job.to,
        job.address,
        job.createdAt,
        job.expiresAt,
      ])`
        insert into download_job (id, user_id, kind, serial_number, from_at, to_at, status, address, created_at, expires_at)
        values ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6), 'Waiting', $7, to_timestamp($8), to_timestamp($9))`;
    },

    async insertRequest(client: PoolClient, serial: number, request: object, now: number): Promise<void> {
      await planned(client, "insert-file-request", [serial, JSON.stringify(request), now])`
        insert into file_request (serial_number, request, requested_at) values ($1, $2, to_timestamp($3))`;
    },

    async ofUser(userId: number, now: number): Promise<DownloadJob[]> {
      return await planned<DownloadJob>(pool, "downloads-of-user", [userId, now])`
        select ${jobColumns} from download_job where user_id = $1 order by created_at desc, id limit 50`;
    },

    async find(id: string, userId: number, now: number): Promise<DownloadJob | undefined> {
      const rows = await planned<DownloadJob>(pool, "find-download", [id, now, userId])`
        select ${jobColumns} from download_job where id = $1 and user_id = $3`;
      return rows[0];
    },

    async remove(client: PoolClient, id: string, userId: number): Promise<boolean> {
      return (await plannedCount(client, "delete-download", [id, userId])`delete from download_job where id = $1 and user_id = $2`) === 1;
    },

    /** Jobs that wait, and those whose packer died; oldest first. */
    async findOpen(now: number, limit: number, ids: readonly string[] | null): Promise<OpenDownloadJob[]> {
      return await planned<OpenDownloadJob>(pool, "open-downloads", [now, limit, ids])`
        select j.id::text, j.user_id as "userId", j.kind, j.serial_number as serial, ${epochSeconds("j.from_at")} as from, ${epochSeconds("j.to_at")} as to,
          j.address, ${epochSeconds("j.created_at")} as "createdAt", ${epochSeconds("j.expires_at")} as "expiresAt", j.file_count as "fileCount",
          coalesce(l.is_connected, false) as "isConnected"
        from download_job j left join node_live l using (serial_number)
        where j.status in ('Waiting', 'Packing') and j.expires_at > to_timestamp($1)
          and ${isNext("HarmonicsPackager", "download", "j.id::text", "$3")} order by j.created_at limit $2`;
    },

    /** Number, stored bytes and newest arrival (0 without files) of the files of a job. */
    async measure({ serial, kind, from, to }: NewDownloadJob): Promise<{ count: number; bytes: number; newestAt: number }> {
      const rows = await planned<{ count: number; bytes: number; newestAt: number }>(pool, "measure-download", [
        serial,
        kind === "harmonics" ? "H" : null,
        from,
        to,
      ])`
        select count(*)::int as count, coalesce(sum(stored_bytes), 0)::float8 as bytes, coalesce(${epochSeconds("max(received_at)")}, 0) as "newestAt"
        from data_file where serial_number = $1 and ($2::text is null or kind = $2) and ${inRange}`;
      return rows[0] ?? { count: 0, bytes: 0, newestAt: 0 };
    },

    /** The next files of a job in the order of their key. */
    async nextFiles({ serial, kind, from, to }: NewDownloadJob, last: PackedFileRow | undefined, limit: number): Promise<PackedFileRow[]> {
      return await prepared<PackedFileRow>(pool, "next-download-files", [
        serial,
        kind === "harmonics" ? "H" : null,
        from,
        to,
        last?.timestamp ?? null,
        last?.kind ?? "",
        last?.part ?? "",
        limit,
      ])`
        select ${epochSeconds("ts")} as timestamp, kind, part, file_name as "fileName", content_hash as hash, is_gzip as "isGzip", stored_bytes as "storedBytes",
          ${epochSeconds("received_at")} as "receivedAt"
        from data_file where serial_number = $1 and ($2::text is null or kind = $2) and ${inRange}
          and ($5::float8 is null or (ts, kind, part) > (to_timestamp($5), $6, $7)) order by ts, kind, part limit $8`;
    },

    /** False when the job was given up, has expired or was finished meanwhile: word of its progress may come after that of its end. */
    async update(
      db: Db,
      id: string,
      change: { status: DownloadStatus; fileCount: number; packedCount: number; size?: number; failedReason?: string; readyAt?: number },
    ): Promise<boolean> {
      const rowCount = await plannedCount(db, "update-download", [
        id,
        change.status,
        change.fileCount,
        change.packedCount,
        change.size ?? null,
        change.failedReason ?? null,
        change.readyAt ?? null,
      ])`
        update download_job set status = $2, file_count = $3, packed_count = $4, size = $5, failed_reason = $6, ready_at = to_timestamp($7)
        where id = $1 and status in ('Waiting', 'Packing')`;
      return rowCount === 1;
    },

    /** Ids whose packages may be kept. */
    async keptIds(now: number): Promise<Set<string>> {
      const rows = await planned<{ id: string }>(pool, "kept-downloads", [now])`
        select id::text from download_job where expires_at > to_timestamp($1)`;
      return new Set(rows.map(({ id }) => id));
    },

    async findForgotten(before: number): Promise<string[]> {
      const rows = await planned<{ id: string }>(pool, "find-forgotten-downloads", [before])`
        select id::text from download_job where expires_at < to_timestamp($1)`;
      return rows.map(({ id }) => id);
    },

    async forget(ids: readonly string[]): Promise<number> {
      return await plannedCount(pool, "forget-downloads", [ids])`delete from download_job where id = any ($1::uuid[])`;
    },

    async findExpired(now: number): Promise<string[]> {
      const rows = await planned<{ id: string }>(pool, "find-expired-downloads", [now])`
        select id::text from download_job where expires_at <= to_timestamp($1) and status <> 'Expired'`;
      return rows.map(({ id }) => id);
    },

    async expire(ids: readonly string[]): Promise<number> {
      return await plannedCount(pool, "expire-downloads", [ids])`
        update download_job set status = 'Expired' where id = any ($1::uuid[])`;
    },
  };
}
