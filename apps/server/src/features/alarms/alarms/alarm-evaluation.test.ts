import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import type { Task } from "#services/service.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createAlarmEvaluation } from "./alarm-evaluation.task.ts";
import { createAlarmsStore, type NodeAlarmChange } from "./alarms.store.ts";

const signal = new AbortController().signal;
const noon = Date.UTC(2026, 5, 10, 12) / 1000;
const limits = { underloadPercent: 40, startsPerHour: 6, signaturePercent: 3 };
let database: TestDatabase;
let clock: ManualClock;
let notified: NodeAlarmChange[];
let task: Task;
let serial = 30_000;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureScalarPartitions(database.pool, noon - 86_400, noon + 86_400);
});
afterAll(() => database.stop());
beforeEach(async () => {
  await database.pool.query("truncate scalar, alarm, alarm_evaluation, node_event; delete from node");
  clock = createManualClock(noon * 1000);
  notified = [];
  task = newTask();
  serial++;
  await addMonitored(serial);
});

/** What another process would run. */
function newTask(): Task {
  return createAlarmEvaluation({
    pool: database.pool,
    store: createAlarmsStore(database.pool),
    clock,
    limits: () => Promise.resolve(limits),
    notify: (_client, raised) => Promise.resolve(void notified.push(...raised)),
  });
}

async function addMonitored(number: number, columns: Record<string, unknown> = {}): Promise<void> {
  await addNode(database.pool, number, await addPlace(database.pool), { current_deployment_status: "Deployed", ...columns });
  await database.pool.query("insert into node_config values ($1, now(), $2)", [
    number,
    JSON.stringify({ np_voltage: "460", np_current: "100", i_noise: "1", v_noise: "5", start_seconds: "10" }),
  ]);
}

/** Scalars every 10 s for so long, while the clock moves. */
async function feed(seconds: number, { volts = 460, amps = 80, number = serial } = {}): Promise<void> {
  await database.pool.query(
    `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp($2::float8 + n), $4, $4, $4, $5, $5, $5 from generate_series(0, $3 - 10, 10) n on conflict do nothing`,
    [number, clock.now() / 1000, seconds, amps, volts],
  );
  clock.advance(seconds);
}

async function feedAndRun(seconds: number, readings: { volts?: number; amps?: number } = {}, runner = task): Promise<void> {
  for (let elapsed = 0; elapsed < seconds; elapsed += 60) {
    await feed(60, readings);
    await runner.run(signal);
  }
}

const alarms = async () =>
  (
    await database.pool.query<{ kind: string; isOpen: boolean }>('select kind, cleared_at is null as "isOpen" from alarm order by id')
  ).rows.map(({ kind, isOpen }) => `${kind} ${isOpen ? "open" : "ended"}`);

test("an alarm is raised, reported once, counted on the dashboard, and ends", async () => {
  await feedAndRun(300);
  expect(await alarms()).toEqual([]);
  await feedAndRun(300, { volts: 500 });
  expect(await alarms()).toEqual(["overVoltage open"]);
  expect(notified.map(({ kind, serialNumber }) => [kind, serialNumber])).toEqual([["overVoltage", serial]]);
  const { rows } = await database.pool.query("select event_count from node_live where serial_number = $1", [serial]);
  expect(rows).toEqual([{ event_count: 1 }]);
  await feedAndRun(600);
  expect(await alarms()).toEqual(["overVoltage ended"]);
});

test("a node that sends a hundred times a second is judged by the means of a few seconds, so that its past takes no more memory", async () => {
  await database.pool.query(
    `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp($2::float8 + n + part / 100.0), 80, 80, 80, volts, volts, volts
     from generate_series(0, 290, 10) n, generate_series(0, 45) part, lateral (select case part % 2 when 0 then 540 else 440 end as volts) v`,
    [serial, clock.now() / 1000],
  );
  let judged = 0;
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(60);
    judged += Number(await task.run(signal));
  }
  expect(judged).toBeLessThanOrEqual(30);
  expect(await alarms()).toEqual([]);
});

test("A-24 a node that sends what changed is judged by the last value of everything else", async () => {
  await feedAndRun(120);
  const { rows } = await database.pool.query<{ at: number }>("select extract(epoch from max(ts))::float8 as at from scalar");
  await database.pool.query(
    "insert into scalar (serial_number, ts, voltage1, voltage2, voltage3) select $1, to_timestamp($2::float8 + n), 520, 520, 520 from generate_series(10, 300, 10) n",
    [serial, rows[0]!.at],
  );
  clock.advance(300);
  await task.run(signal);
  expect(await alarms()).toEqual(["overVoltage open"]);
});

test("A-24 what only a birth reported is judged too, also by a process that takes over", async () => {
  const at = noon * 1000;
  await database.pool.query(
    "insert into node_live (serial_number, last_scalar_data, last_scalar_times) values ($1, $2, $3) on conflict (serial_number) do update set last_scalar_data = excluded.last_scalar_data, last_scalar_times = excluded.last_scalar_times",
    [serial, `1,0,${at},60,80,80,80,520,520,520,,,,,,,,,`, `${Array.from({ length: 9 }, () => at).join(",")},,,,,,,,,`],
  );
  await database.pool.query(
    "insert into scalar (serial_number, ts, current1) select $1, to_timestamp($2::float8 + n), 80 from generate_series(10, 1200, 10) n",
    [serial, noon],
  );
  clock.advance(60);
  await task.run(signal);
  clock.advance(1140);
  await newTask().run(signal);
  expect(await alarms()).toEqual(["overVoltage open"]);
});

test("a process that takes over goes on where the other one was: nothing twice, nothing lost, nothing stuck", async () => {
  await feedAndRun(300);
  await feedAndRun(300, { volts: 500 });
  const successor = newTask();
  await feedAndRun(300, { volts: 500 }, successor);
  expect([await alarms(), notified.length]).toEqual([["overVoltage open"], 1]);
  await feedAndRun(600, {}, successor);
  expect(await alarms()).toEqual(["overVoltage ended"]);
  // The first one has slept through all that.
  await feedAndRun(300);
  expect([await alarms(), notified.length]).toEqual([["overVoltage ended"], 1]);
});

test("a pause of some minutes is caught up, with the means from before it", async () => {
  await feedAndRun(600);
  await feedAndRun(180, { amps: 130 });
  expect(await alarms()).not.toContain("shortTermOverCurrent open");
  await feed(180, { amps: 130 });
  await newTask().run(signal);
  expect(await alarms()).toContain("shortTermOverCurrent open");
});

test("a run that fails between two nodes is repeated whole", async () => {
  const second = serial + 1;
  await addMonitored(second);
  serial++;
  let isBroken = true;
  const failing = createAlarmEvaluation({
    pool: database.pool,
    store: createAlarmsStore(database.pool),
    clock,
    limits: () => Promise.resolve(limits),
    notify: (_client, raised) =>
      isBroken
        ? Promise.reject(Object.assign(new Error("no mail today"), { code: "57P03" }))
        : Promise.resolve(void notified.push(...raised)),
  });
  await failing.run(signal);
  await feed(300, { volts: 500 });
  await expect(failing.run(signal)).rejects.toThrow("no mail today");
  expect(await alarms()).toEqual([]);
  isBroken = false;
  await failing.run(signal);
  expect([await alarms(), notified.length]).toEqual([["overVoltage open"], 1]);
  serial++;
});

test("nodes that no one monitors raise nothing, and what was open ends", async () => {
  await feedAndRun(300, { volts: 500 });
  expect(await alarms()).toEqual(["overVoltage open"]);
  await database.pool.query("update node set disable_monitoring = true");
  await feedAndRun(300, { volts: 500 });
  expect([await alarms(), notified.length]).toEqual([["overVoltage ended"], 1]);
});

test("a changed threshold counts from the next run", async () => {
  await feedAndRun(300, { volts: 490 });
  expect(await alarms()).toEqual([]);
  await database.pool.query("update node set over_voltage_threshold = 5");
  await feedAndRun(180, { volts: 490 });
  expect(await alarms()).toEqual(["overVoltage open"]);
});

test("history that arrives after newer scalars raises nothing; a node without a nameplate is not judged", async () => {
  await feedAndRun(300);
  await database.pool.query(
    `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp($2::float8 - n), 80, 80, 80, 550, 550, 550 from generate_series(5, 295, 10) n`,
    [serial, clock.now() / 1000],
  );
  await feedAndRun(120);
  expect(await alarms()).toEqual([]);
  await database.pool.query("delete from node_config");
  await feedAndRun(300, { volts: 600, amps: 300 });
  expect(await alarms()).toEqual([]);
});

test("a stop under load is one alarm without a length", async () => {
  await feedAndRun(120);
  await feedAndRun(120, { amps: 0 });
  expect(await alarms()).toEqual(["stopOfInterest ended"]);
});

describe("the field of a machine", () => {
  /** A DC motor with two nodes; the field's node comes first by its serial number. */
  async function addPair(): Promise<{ machine: number; field: number }> {
    const place = await addPlace(database.pool);
    await database.pool.query("update location set equipment_type = 'DCMotor' where id = $1", [place.locationId]);
    const [field, machine] = [++serial, ++serial];
    for (const [number, slot, amps] of [
      [machine, 1, "100"],
      [field, 2, "12"],
    ] as const) {
      await addNode(database.pool, number, undefined, { current_deployment_status: "Deployed" });
      await database.pool.query("insert into node_assignment values ($1, $2, $3)", [number, place.locationId, slot]);
      await database.pool.query("insert into node_config values ($1, now(), $2)", [
        number,
        JSON.stringify({ eq_type: "dc", np_voltage: "460", np_current: amps, i_noise: "0.1" }),
      ]);
    }
    return { machine, field };
  }

  /** A minute of both, the field read four seconds after the machine. */
  async function minute(pair: { machine: number; field: number }, machineAmps: number, fieldAmps: number): Promise<void> {
    await database.pool.query(
      `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
       select s, to_timestamp($1::float8 + n + shift), amps, 0, 0, 460, 0, 0 from generate_series(0, 50, 10) n,
         (values ($2::int4, $3::float8, 0), ($4, $5, 4)) as v (s, amps, shift)`,
      [clock.now() / 1000, pair.machine, machineAmps, pair.field, fieldAmps],
    );
    clock.advance(60);
    await task.run(signal);
  }

  test("is lost when the machine runs without it, and not when both are stopped", async () => {
    await database.pool.query("delete from node");
    const pair = await addPair();
    await minute(pair, 0, 0);
    for (let count = 0; count < 3; count++) await minute(pair, 80, 11);
    for (let count = 0; count < 3; count++) await minute(pair, 0, 0);
    expect((await alarms()).filter((text) => text.startsWith("fieldLoss"))).toEqual([]);
    await minute(pair, 80, 11);
    await minute(pair, 80, 0.3);
    expect(await alarms()).toContain("fieldLoss open");
    expect(notified.filter(({ kind }) => kind === "fieldLoss")).toMatchObject([{ serialNumber: pair.field, limit: 90 }]);
    for (let count = 0; count < 7; count++) await minute(pair, 80, 11);
    expect(await alarms()).toContain("fieldLoss ended");
    // One circuit: what a DC node does not measure is neither imbalance nor an under-voltage.
    expect((await alarms()).filter((text) => /Imbalance|underVoltage|lossOfPhase/.test(text))).toEqual([]);
  });
});
