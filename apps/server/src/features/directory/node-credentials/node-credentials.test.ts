import { afterAll, beforeAll, expect, test } from "vitest";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { addNode } from "#testing/test-world.ts";
import { createNodeCredentialsStore } from "./node-credentials.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("credentials that were made or revoked lately are found, whenever they were made, and those in force open", async () => {
  const { pool } = database;
  const store = createNodeCredentialsStore(pool);
  const day = "interval '1 day'";
  const credentials: [serial: number, createdAt: string, revokedAt: string][] = [
    [18_001, "now()", "null"],
    [18_002, `now() - ${day}`, "null"],
    [18_003, `now() - ${day}`, "now()"],
    [18_004, `now() - 2 * ${day}`, `now() - ${day}`],
  ];
  for (const [serial, createdAt, revokedAt] of credentials) {
    await addNode(pool, serial);
    await pool.query(
      `insert into node_credential (serial_number, secret_hash, created_at, revoked_at) values ($1, $2, ${createdAt}, ${revokedAt})`,
      [serial, hashNodeSecret("secret")],
    );
  }
  const serials = credentials.map(([serial]) => serial);
  expect((await store.changedWithin(3_600)).toSorted((a, b) => a - b)).toEqual([18_001, 18_003]);
  expect((await store.findActive(serials)).map(({ serial }) => serial).toSorted((a, b) => a - b)).toEqual([18_001, 18_002]);
});
