import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createContinuousServices } from "./continuous-services.ts";
import { createServiceStore } from "./service.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("A-63 what runs all the time shows what it did since it was looked at, what keeps it, and that it is there", async () => {
  const clock = createManualClock();
  const store = createServiceStore(database.pool);
  let [total, problem] = [5, undefined as string | undefined];
  const service = {
    name: "Listener",
    processed: () => Promise.resolve(total),
    did: (count: number) => `Heard ${count}`,
    problem: () => problem,
  };
  const continuous = createContinuousServices({ pool: database.pool, services: [service], clock, log: silentLog });
  const look = async () => {
    await continuous.tick();
    return (await store.listServices(clock.now() / 1000)).get("Listener");
  };
  const since = Math.floor(clock.now() / 1000);
  const worked = { did: "Heard 5", timestamp: since };
  expect(await look()).toMatchObject({ isRunning: true, countProcessedLastRun: 5, countProcessedLifetime: 5, lastWork: worked });
  clock.advance(10);
  expect(await look()).toMatchObject({ countProcessedLastRun: 0, countProcessedLifetime: 5, lastWork: worked, failingSince: null });
  [total, problem] = [7, "the broker is away"];
  expect(await look()).toMatchObject({ countProcessedLastRun: 2, countProcessedLifetime: 7, logEntry: problem, failingSince: since + 10 });
  await continuous.stop();
  // The lock ends with its connection, of which the database hears a moment later.
  await expect.poll(async () => (await store.listServices(clock.now() / 1000)).get("Listener")).toMatchObject({ isRunning: false });
});
