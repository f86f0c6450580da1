import type { Pool } from "pg";
import type { PoolClient } from "#db/pool.ts";
import { planned } from "#db/statement.ts";

export interface StoredDownload {
  fileName: string;
  contentType: string;
  content: Buffer;
}

const maxPerUser = 20;

export function createDownloadStore(pool: Pool) {
  return {
    /** Keeps a file; what has expired goes, and so does the oldest of someone who has many. */
    async insert(
      client: PoolClient,
      row: {
        tokenHash: Buffer;
        userId: number;
        fileName: string;
        contentType: string;
        content: Uint8Array;
        now: number;
        expiresAt: number;
      },
    ): Promise<void> {
      await planned(client, "delete-expired-downloads", [row.now])`delete from download_token where expires_at <= to_timestamp($1)`;
      await planned(client, "delete-surplus-downloads", [row.userId, maxPerUser - 1])`delete from download_token where token_hash in
        (select token_hash from download_token where user_id = $1 order by expires_at desc offset $2)`;
      await planned(client, "insert-download", [
        row.tokenHash,
        row.userId,
        row.fileName,
        row.contentType,
        Buffer.from(row.content),
        row.expiresAt,
      ])`
        insert into download_token (token_hash, user_id, file_name, content_type, content, expires_at)
        values ($1, $2, $3, $4, $5, to_timestamp($6))`;
    },

    /** Takes the file away: of two that ask at the same time one gets it. */
    async take(tokenHash: Buffer, userId: number, now: number): Promise<StoredDownload | undefined> {
      const rows = await planned<StoredDownload>(pool, "take-download", [tokenHash, userId, now])`
        delete from download_token where token_hash = $1 and user_id = $2 and expires_at > to_timestamp($3)
        returning file_name as "fileName", content_type as "contentType", content`;
      return rows[0];
    },
  };
}
export type DownloadStore = ReturnType<typeof createDownloadStore>;
