import type { AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createAlarmEvaluation } from "./alarm-evaluation.task.ts";
import { clearAlarms, clearAlarmsExceptOf, createAlarmsStore, insertAlarmEvents, type NodeAlarmChange } from "./alarms.store.ts";

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

test("A-63 of the alarms that are open those of a known kind are known at a start, each since it was raised", async () => {
  const raised = (at: number, isOpen: boolean, kind: string, number = serial) =>
    database.pool.query(
      `insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values ($1, $2, to_timestamp($3), case when $4 then null else to_timestamp($3 + 9) end, 5)`,
      [number, kind, at, isOpen],
    );
  await addMonitored(++serial);
  await raised(noon - 90, false, "overVoltage");
  await raised(noon - 60, true, "overVoltage");
  await raised(noon - 50, true, "currentImbalance");
  await raised(noon - 40, false, "underVoltage");
  await raised(noon - 30, true, "ofAnotherVersion");
  await raised(noon - 20, false, "overVoltage", serial - 1);
  expect(await createAlarmsStore(database.pool).openAlarms()).toEqual(
    new Map([
      [
        serial,
        new Map([
          ["overVoltage", noon - 60],
          ["currentImbalance", noon - 50],
        ]),
      ],
    ]),
  );
});

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
    "insert into node_live (serial_number, last_scalar_data, last_scalar_times) values ($1, $2, $3) on conflict (serial_number) do update set last_scalar_data = excluded.last_scalar_data, last_scalar_times = excluded.last_scalar_times, changed_xid = pg_current_xact_id()",
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

test("A-63 what another process raised meanwhile ends, also when what raised it is longer ago than is caught up", async () => {
  await feedAndRun(120);
  await feedAndRun(300, { volts: 500 }, newTask());
  expect(await alarms()).toEqual(["overVoltage open"]);
  await feed(7_200);
  await task.run(signal);
  expect(await alarms()).toEqual(["overVoltage ended"]);
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

describe("what is read of many nodes", () => {
  const store = () => createAlarmsStore(database.pool);
  async function assign(number: number, locationId: number, slot: number, columns: Record<string, unknown> = {}): Promise<number> {
    await addNode(database.pool, number, undefined, { current_deployment_status: "Deployed", ...columns });
    await database.pool.query("insert into node_assignment values ($1, $2, $3)", [number, locationId, slot]);
    return number;
  }
  async function addLocation(equipmentType: string): Promise<number> {
    const { locationId } = await addPlace(database.pool);
    await database.pool.query("update location set equipment_type = $2 where id = $1", [locationId, equipmentType]);
    return locationId;
  }

  test("those that are deployed, placed and watched are judged, a field's node behind its machine's, each by what it reported", async () => {
    await database.pool.query("delete from node");
    const [direct, plain, third] = [
      await addLocation("DCMotor"),
      await addLocation("InductionMotor"),
      await addLocation("SynchronousMotor"),
    ];
    const base = (serial += 20);
    const field = await assign(base + 1, direct, 2);
    const other = await assign(base + 2, plain, 1);
    const second = await assign(base + 3, plain, 2);
    const machine = await assign(base + 4, direct, 1);
    const fieldOfThird = await assign(base + 5, third, 2);
    await assign(base + 6, await addLocation("DCMotor"), 1, { current_deployment_status: "Pre-Deployment" });
    await assign(base + 7, await addLocation("DCMotor"), 1, { disable_monitoring: true });
    const relay = await assign(base + 8, third, 1, { type: "SEL" });
    await addNode(database.pool, base + 9, undefined, { current_deployment_status: "Deployed" });
    await database.pool.query(
      `insert into node_config values ($1, now(), '{"np_voltage":"480","v_noise":"7"}'), ($2, now(), '{"np_voltage":"230"}')`,
      [machine, second],
    );
    await database.pool.query(
      "insert into node_nameplate (serial_number, np_voltage, np_current, np_frequency) values ($1, 400, 20, 60), ($2, 300, 30, 0)",
      [machine, other],
    );
    const read = (rows: Awaited<ReturnType<ReturnType<typeof store>["monitoredNodes"]>>) =>
      rows
        .toSorted((a, b) => a.serialNumber - b.serialNumber)
        .map((row) => [row.serialNumber, row.machineSerial, row.isDirect, row.npVoltage, row.npCurrent, row.vNoise]);
    const expected = [
      [field, machine, true, null, null, null],
      [other, null, true, 300, 30, null],
      [second, null, false, 230, null, null],
      [machine, null, false, 480, 20, "7"],
      [fieldOfThird, relay, true, null, null, null],
    ];
    const judged = await store().monitoredNodes();
    expect(read(judged)).toEqual(expected);
    const serials = judged.map(({ serialNumber }) => serialNumber);
    expect(serials.indexOf(field)).toBe(serials.indexOf(machine) + 1);
    const some = [field, other, base + 6, base + 7, relay, base + 9];
    expect(read(await store().monitoredNodesOf(some))).toEqual([expected[0], expected[1]]);
  });

  test("scalars after the node's own time and up to a common one, and the last values of those that are named", async () => {
    const second = serial + 1;
    await addMonitored(second);
    const rows = [serial, second].flatMap((number) => [-1, 0, 1, 60, 61].map((at) => [number, noon + at, at + 100]));
    await database.pool.query(
      `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
       select s, to_timestamp(t), c, c + 1, c + 2, c + 3, c + 4, c + 5 from unnest($1::int4[], $2::float8[], $3::float8[]) u (s, t, c)`,
      [0, 1, 2].map((column) => rows.map((row) => row[column])),
    );
    const ranges = [
      { serialNumber: second, after: noon, meanSeconds: 0.5 },
      { serialNumber: serial, after: noon + 1, meanSeconds: 0.5 },
    ];
    const row = (serialNumber: number, at: number) => ({
      serialNumber,
      at: noon + at,
      i1: at + 100,
      i2: at + 101,
      i3: at + 102,
      v1: at + 103,
      v2: at + 104,
      v3: at + 105,
    });
    expect(await store().scalarsAfter(ranges, noon + 60)).toEqual([row(serial, 60), row(second, 1), row(second, 60)]);
    await setLive(database.pool, second, {
      last_scalar_data: "3,1,9000,60,41,42,43,461,462,463",
      last_scalar_times: "3,1,1000,2000,3000,4000,5000,6000,",
    });
    expect(await store().lastMeasurements([second])).toEqual([
      {
        serialNumber: second,
        i1: { value: 41, at: 2 },
        i2: { value: 42, at: 3 },
        i3: { value: 43, at: 4 },
        v1: { value: 461, at: 5 },
        v2: { value: 462, at: 6 },
        v3: { value: 463, at: 9 },
      },
    ]);
    serial++;
  });

  test("A-63 each new event of a node counts, and one that is there already does not", async () => {
    const second = serial + 1;
    await addMonitored(second);
    const at = noon + 10;
    const change = (serialNumber: number, kind: AlarmKind): NodeAlarmChange => ({
      kind,
      change: "raised",
      at,
      value: 1,
      limit: 1,
      serialNumber,
      locationId: null,
    });
    const counts = async (...raised: NodeAlarmChange[]) => {
      await inTransaction(database.pool, (client) => insertAlarmEvents(client, raised));
      const { rows } = await database.pool.query<{ count: number }>(
        "select event_count as count from node_live where serial_number = any ($1) order by serial_number",
        [[serial, second]],
      );
      return rows.map(({ count }) => count);
    };
    expect(await counts(change(serial, "overVoltage"), change(serial, "underVoltage"), change(second, "overVoltage"))).toEqual([2, 1]);
    expect(await counts(change(serial, "overVoltage"), change(second, "underVoltage"))).toEqual([2, 2]);
    serial++;
  });

  test("an alarm ends for its node and kind, and one that has ended stays as it was", async () => {
    const second = serial + 1;
    await addMonitored(second);
    const insert = "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values";
    await database.pool.query(
      `${insert} ($1, 'overVoltage', $3, null, 1), ($1, 'underVoltage', $3, null, 1), ($1, 'voltageSag', $3, $3, 1), ($2, 'overVoltage', $3, null, 1), ($2, 'voltageSag', $3, $3, 1)`,
      [serial, second, new Date(noon * 1000)],
    );
    const ended = async () =>
      (
        await database.pool.query<{ at: string }>(
          "select concat_ws(' ', serial_number - $1, kind, extract(epoch from cleared_at)::int - $2) as at from alarm order by 1",
          [serial, noon],
        )
      ).rows.map(({ at }) => at);
    await inTransaction(database.pool, (client) =>
      clearAlarms(client, [
        { serialNumber: serial, locationId: null, kind: "overVoltage", change: "cleared", at: noon + 5, value: 1, limit: 1 },
      ]),
    );
    const first = ["0 overVoltage 5", "0 underVoltage", "0 voltageSag 0", "1 overVoltage", "1 voltageSag 0"];
    expect(await ended()).toEqual(first);
    expect(await inTransaction(database.pool, (client) => clearAlarmsExceptOf(client, [serial], noon + 9))).toBe(1);
    expect(await ended()).toEqual(first.with(3, "1 overVoltage 9"));
    serial++;
  });
});
