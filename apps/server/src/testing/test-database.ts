import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import type { Pool } from "pg";
import { createPool, databaseUrl, patientConnectTimeoutMs } from "#db/pool.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** One for each worker. */
    postgresUrls: string[];
  }
}

export const templateDatabase = "busbar_template";

export interface TestDatabase {
  url: string;
  pool: Pool;
  stop(): Promise<void>;
}

/** A fresh migrated database of its own for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const urls = inject("postgresUrls");
  const serverUrl = urls[(Number(process.env["VITEST_POOL_ID"] ?? 1) - 1) % urls.length]!;
  const name = `t_${randomBytes(6).toString("hex")}`;
  const admin = createPool(serverUrl, { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  await admin.query(`create database ${name} template ${templateDatabase} strategy file_copy`);
  const url = databaseUrl(serverUrl, name);
  const pool = createPool(url, { max: 5, connectTimeoutMs: patientConnectTimeoutMs });
  return {
    url,
    pool,
    async stop() {
      await pool.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
