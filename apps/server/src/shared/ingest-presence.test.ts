import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createIngestPresenceStore } from "./ingest-presence.store.ts";
import { lateAfterSeconds } from "./late-after.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const daySeconds = 86_400;
const now = 1_790_000_000;
const period = (startedAt: number, aliveAt = startedAt) => ({ startedAt, aliveAt });

test("each process has a period that grows; those of nine days are shown, and none is kept for more than 400", async () => {
  const store = createIngestPresenceStore(database.pool);
  await store.begin((now - 400 * daySeconds - 1) * 1_000);
  const old = await store.begin((now - 10 * daySeconds) * 1_000);
  await store.begin((now - 9 * daySeconds - 0.5) * 1_000);
  const recent = await store.begin((now - daySeconds + 0.25) * 1_000);
  const last = await store.begin((now - 5) * 1_000);
  await store.beat(last, now * 1_000);
  await store.beat(last, (now - 1) * 1_000);
  await store.beat(recent, (now - 100) * 1_000);
  const shown = [period(now - daySeconds + 0.25, now - 100), period(now - 5, now)];
  expect(await store.periods()).toEqual(shown);
  await store.beat(old, (now - 9 * daySeconds) * 1_000);
  expect(await store.periods()).toEqual([period(now - 10 * daySeconds, now - 9 * daySeconds), ...shown]);
  expect(await store.periods(1)).toEqual(shown);
  expect(await store.periods(500)).toHaveLength(5);
  await store.begin(now * 1_000);
  expect((await store.periods(500)).map(({ startedAt }) => now - startedAt)).toEqual([
    10 * daySeconds,
    9 * daySeconds + 0.5,
    daySeconds - 0.25,
    5,
    0,
  ]);
});

test.each([
  [1, 30],
  [10, 30],
  [11, 33],
  [60, 180],
])("with a scalar each %d s one is late after %d s", (interval, seconds) => expect(lateAfterSeconds(interval)).toBe(seconds));
