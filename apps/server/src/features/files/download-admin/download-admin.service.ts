import { createHash, randomBytes } from "node:crypto";
import { downloadLifeSeconds } from "@busbar/contract/files/download-admin.ts";
import type { PoolClient } from "#db/pool.ts";
import type { Clock } from "#lib/clock.ts";
import { notFound } from "#lib/errors.ts";
import type { DownloadStore, StoredDownload } from "./download-admin.store.ts";

export interface NewDownload {
  userId: number;
  fileName: string;
  contentType: string;
  content: Uint8Array;
}

/** Files by an address of 256 random bits: for the person they were made for, once, within two minutes. */
export function createDownloadService(store: DownloadStore, clock: Clock) {
  const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
  const nowSeconds = () => clock.now() / 1000;
  return {
    /** Within the writer's transaction; returns the token. */
    async keep(client: PoolClient, download: NewDownload): Promise<string> {
      const token = randomBytes(32).toString("base64url");
      const now = nowSeconds();
      await store.insert(client, { ...download, tokenHash: hashOf(token), now, expiresAt: now + downloadLifeSeconds });
      return token;
    },

    /** @throws AppError 404, the same for whatever is wrong */
    async take(token: string, userId: number): Promise<StoredDownload> {
      const download = await store.take(hashOf(token), userId, nowSeconds());
      if (!download) throw fileNotFound();
      return download;
    },
  };
}
export type DownloadService = ReturnType<typeof createDownloadService>;

export const fileNotFound = () => notFound("This file (it can be fetched once, within two minutes, by the person who requested it)");
