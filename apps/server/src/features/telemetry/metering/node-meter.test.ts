import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import type { LiveChange } from "#features/telemetry/scalars/ingest-plan.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { clearMeter } from "./metering.store.ts";
import { createMeterStore } from "./meters.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const at = Date.UTC(2026, 1, 3, 12);
const write = (change: object) =>
  inTransaction(database.pool, async (client) => {
    await Promise.all(createMeterStore().write(client, [{ demandToWrite: [], ...change } as unknown as LiveChange]));
  });
const meterOf = async (serial: number) => {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select metered_at, kw, kva, kvar, power_factor, running_seconds, amp_hours, kilowatt_hours, kilovar_hours, field_voltage, field_current,
       cleared_at is not null as is_cleared, cleared_scalar_at from node_meter where serial_number = $1`,
    [serial],
  );
  return Object.values(rows[0]!);
};
const values = [1, 2, 3, 0.5, 5, 6, 7, 8, 9, 10];

test("a cleared meter shows nothing of what it showed, and other nodes' meters stay", async () => {
  for (const serial of [17_101, 17_102]) {
    await addNode(database.pool, serial);
    await setLive(database.pool, serial, { last_scalar_at: new Date(at - 5_000) });
    await write({ state: { serial }, meter: { atMs: at, values } });
    expect(await meterOf(serial)).toEqual([new Date(at), ...values, false, null]);
  }
  await inTransaction(database.pool, (client) => clearMeter(client, 17_101));
  expect(await meterOf(17_101)).toEqual([null, ...values.map(() => null), true, new Date(at - 5_000)]);
  expect(await meterOf(17_102)).toEqual([new Date(at), ...values, false, null]);
});

test("parts of a block are summed up, each once", async () => {
  await addNode(database.pool, 17_103);
  const part = (lastMs: number, kwSeconds: number, coveredSeconds: number) =>
    write({ state: { serial: 17_103 }, demand: { lastMs }, demandToWrite: [{ startMs: at, kwSeconds, coveredSeconds }] });
  const blocks = async () =>
    (
      await database.pool.query<object>(
        "select block_at, kw_seconds, covered_seconds, last_at from node_demand_block where serial_number = 17103",
      )
    ).rows.map((row) => Object.values(row));
  for (let times = 0; times < 2; times++) {
    await part(at + 10_000, 100, 10);
    expect(await blocks()).toEqual([[new Date(at), 100, 10, new Date(at + 10_000)]]);
  }
  for (let times = 0; times < 2; times++) {
    await part(at + 30_000, 300, 20);
    expect(await blocks()).toEqual([[new Date(at), 400, 30, new Date(at + 30_000)]]);
  }
});

test("A-63 what comes in several messages of one time is put together, and what is older changes nothing", async () => {
  await addNode(database.pool, 17_104);
  const part = (place: number, value: number) => values.map((_, index) => (index === place ? value : Number.NaN));
  await write({ state: { serial: 17_104 }, meter: { atMs: at, values: part(0, 1) } });
  await write({ state: { serial: 17_104 }, meter: { atMs: at, values: part(6, 7) } });
  await write({ state: { serial: 17_104 }, meter: { atMs: at - 1, values: part(0, 5) } });
  const shown = [1, null, null, null, null, null, 7, null, null, null];
  expect(await meterOf(17_104)).toEqual([new Date(at), ...shown, false, null]);
  await write({ state: { serial: 17_104 }, meter: { atMs: at + 1, values: part(0, 5) } });
  expect(await meterOf(17_104)).toEqual([new Date(at + 1), 5, ...shown.slice(1), false, null]);
});
