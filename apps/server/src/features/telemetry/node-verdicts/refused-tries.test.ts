import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createTestIngest } from "#testing/test-ingest.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("tries of a node that are refused are counted with their reason; a serial number that is no node leaves nothing", async () => {
  const ingest = await createTestIngest({}, database);
  await ingest.addNode(10_011);
  for (const serial of [10_011, 10_011, 10_012])
    await expect(ingest.connect(serial, { password: "wrong" })).rejects.toThrow("Connection refused");
  await ingest.connect(10_011);
  await ingest.stop();
  const { rows } = await database.pool.query(
    "select serial_number, reason, count::int4, last_at > now() - interval '1 minute' as is_new from node_refusal",
  );
  expect(rows).toEqual([{ serial_number: 10_011, reason: "credentials", count: 2, is_new: true }]);
});
