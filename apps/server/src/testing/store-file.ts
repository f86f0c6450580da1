import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { inTransaction } from "#db/transaction.ts";
import { createDataFilesStore } from "#features/files/data-files/data-files.store.ts";
import type { Clock } from "#lib/clock.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { md5Of } from "./sample-files.ts";
import type { TestApp } from "./test-app.ts";

export interface StoredTestFile {
  receivedAtMs?: number;
  source?: "node" | "upload";
  /** The content is a gzip already. */
  isPacked?: boolean;
}

/** Stores a file as ingest and uploads do, and returns the hash of what was stored. */
export async function storeFile(
  server: Pick<TestApp, "database" | "dataDir"> & { clock: Pick<Clock, "now"> },
  name: string,
  content: string | Uint8Array,
  { receivedAtMs = server.clock.now(), source = "node", isPacked = false }: StoredTestFile = {},
): Promise<Buffer> {
  const bytes = isPacked ? Buffer.from(content) : gzipSync(content);
  const [hash] = await createFolderFileStore(join(server.dataDir, "files")).putAll([bytes]);
  const row = { parsed: parseDataFileName(name)!, hash: hash!, md5: md5Of(bytes), storedBytes: bytes.length };
  const { pool } = server.database;
  await inTransaction(pool, (client) => createDataFilesStore(pool).store(client, [{ ...row, isGzip: true, receivedAtMs, source }]));
  return hash!;
}
