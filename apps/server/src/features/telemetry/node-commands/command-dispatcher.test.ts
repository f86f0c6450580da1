import { randomUUID } from "node:crypto";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { silentLog } from "#lib/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { createCommandDispatcher, type CommandDispatcher } from "./command-dispatcher.ts";
import { createNodeCommandsStore } from "./node-commands.store.ts";

const serialNumber = 10_240;
let database: TestDatabase;
let dispatcher: CommandDispatcher;
let published: unknown[];
let canPublish: boolean;

beforeEach(async () => {
  database = await createTestDatabase();
  await addNode(database.pool, serialNumber);
  await setLive(database.pool, serialNumber, { is_connected: true });
  [published, canPublish] = [[], true];
  dispatcher = createCommandDispatcher({
    pool: database.pool,
    clock: systemClock,
    log: silentLog,
    publishCommand: (_topic, payload) => published.push(decodePayload(payload).metrics[0]!.value),
    canPublish: () => canPublish,
  });
});
afterEach(async () => {
  await dispatcher.stop();
  await database.stop();
});

/** Without its look once a second for notifications that were lost. */
function start(): void {
  const interval = vi.spyOn(globalThis, "setInterval").mockReturnValue({ unref: () => undefined } as unknown as NodeJS.Timeout);
  dispatcher.start();
  interval.mockRestore();
}

const insert = (value: number) =>
  createNodeCommandsStore(database.pool).insert(randomUUID(), {
    serialNumber,
    metrics: [{ name: metricNames.liveLeaseSeconds, datatype: DataType.Int32, value }],
    timeoutMs: 60_000,
  });

test("all that waits is sent at once, in its order, however much it is", async () => {
  const values = Array.from({ length: 250 }, (_, index) => index);
  for (const value of values) await insert(value);
  start();
  await expect.poll(() => published.length).toBe(values.length);
  expect(published).toEqual(values);
});

test("what comes while nothing can be sent waits, and goes with the next one", async () => {
  canPublish = false;
  start();
  await insert(1);
  await insert(2);
  canPublish = true;
  await insert(3);
  await expect.poll(() => published.length).toBe(3);
  expect(published).toEqual([1, 2, 3]);
});
