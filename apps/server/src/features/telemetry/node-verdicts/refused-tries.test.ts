import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestIngest } from "#testing/test-ingest.ts";
import { createRefusedTries } from "./refused-tries.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("A-63 only who calls itself like a node is noted, each reason by itself and cut", async () => {
  const written: unknown[] = [];
  const tries = createRefusedTries({
    store: { write: async (rows) => void written.push(...rows) },
    clock: createManualClock(7_000),
    limitedLog: () => undefined,
  });
  const long = "x".repeat(1_000);
  for (const [id, reason] of [
    ["10012", "ban"],
    ["10011", "ban"],
    ["10011", "credentials"],
    ["10011", "ban"],
    ["10011", long],
    ["1e234", "ban"],
    ["01234", "ban"],
    ["123456", "ban"],
    ["console", "ban"],
  ] as const)
    tries.note(id, reason);
  await tries.stop();
  await tries.stop();
  expect(written).toEqual([
    { serial: 10_011, reason: "ban", count: 2, lastAtMs: 7_000 },
    { serial: 10_011, reason: "credentials", count: 1, lastAtMs: 7_000 },
    { serial: 10_011, reason: expect.stringMatching(/^x{10,999}$/), count: 1, lastAtMs: 7_000 },
    { serial: 10_012, reason: "ban", count: 1, lastAtMs: 7_000 },
  ]);
});

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
