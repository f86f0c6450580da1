import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createScheduler } from "#services/scheduler.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createDeploymentStatusRoll } from "./deployment-status-roll.task.ts";
import { createNodes } from "./nodes.service.ts";

const signal = new AbortController().signal;
const caller = { sessionId: "", userId: 1, username: "robin", roles: [] };
let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(() => database.stop());
beforeEach(() => pool.query("truncate node, activity cascade"));

/** Service and roll on a clock that starts at a moment; each call is what one process would do. */
function at(moment: string) {
  const clock = createManualClock(Date.parse(moment));
  return {
    clock,
    nodes: createNodes({ pool, clock, taskCount: 22 }),
    roll: () => createDeploymentStatusRoll({ pool, clock }).run(signal),
  };
}

const statusOf = async (serial: number) =>
  (
    await pool.query<{ current: string; requested: string; since: Date }>(
      "select current_deployment_status as current, new_deployment_status as requested, current_deployment_status_updated_at as since from node where serial_number = $1",
      [serial],
    )
  ).rows[0]!;
const rolled = async () =>
  (await pool.query<{ description: string }>("select description from activity where action = 'NODE_STATUS_CHANGED' order by id")).rows.map(
    ({ description }) => description,
  );

describe("NFM-07 the awaited status becomes current once, at the midnight of the place", () => {
  const cases: [string, string, string, string][] = [
    ["clocks go forward in Chicago", "America/Chicago", "2026-03-08T15:00:00Z", "2026-03-09T05:00:00Z"],
    ["clocks go back in Chicago", "America/Chicago", "2026-11-01T15:00:00Z", "2026-11-02T06:00:00Z"],
    ["clocks go forward in New York", "America/New_York", "2026-03-08T04:30:00Z", "2026-03-08T05:00:00Z"],
    ["clocks go back in New York", "America/New_York", "2026-11-01T06:30:00Z", "2026-11-02T05:00:00Z"],
    ["clocks go back in Los Angeles", "America/Los_Angeles", "2026-11-01T08:30:00Z", "2026-11-02T08:00:00Z"],
    ["Phoenix on the day the others change", "America/Phoenix", "2026-03-08T12:00:00Z", "2026-03-09T07:00:00Z"],
    ["Kolkata", "Asia/Kolkata", "2026-03-08T12:00:00Z", "2026-03-08T18:30:00Z"],
  ];
  test.each(cases)("%s", async (_, timezone, asked, midnight) => {
    await addNode(pool, 41_001, await addPlace(pool, timezone), { new_deployment_status: "Pre-Deployment" });
    const { clock, nodes, roll } = at(asked);
    const node = await nodes.find(41_001);
    await nodes.update(caller, node.id, { newDeploymentStatus: "Deployed" });
    const wait = (Date.parse(midnight) - clock.now()) / 1000;
    clock.advance(wait - 1);
    expect(await roll()).toBe(0);
    expect(await statusOf(41_001)).toMatchObject({ current: "Pre-Deployment", requested: "Deployed" });
    clock.advance(1);
    expect(await roll()).toBe(1);
    expect(await statusOf(41_001)).toEqual({ current: "Deployed", requested: "Deployed", since: new Date(midnight) });
    // Neither the hour that comes again nor the next day does it again.
    clock.advance(3_600);
    expect(await roll()).toBe(0);
    clock.advance(86_400);
    expect(await roll()).toBe(0);
    expect(await rolled()).toEqual(["Node 41001 is Deployed (was Pre-Deployment)"]);
  });
});

test("NFM-07 a program that was down over midnight catches up once, with the time that was due", async () => {
  await addNode(pool, 41_002, await addPlace(pool, "America/Denver"));
  const before = at("2026-06-10T20:00:00Z");
  await before.nodes.update(caller, (await before.nodes.find(41_002)).id, { newDeploymentStatus: "Deployed" });
  const after = at("2026-06-14T09:00:00Z");
  expect(await after.roll()).toBe(1);
  expect(await statusOf(41_002)).toMatchObject({ current: "Deployed", since: new Date("2026-06-11T06:00:00Z") });
  expect(await after.roll()).toBe(0);
});

test("NFM-07 a forced time is honoured to the second", async () => {
  await addNode(pool, 41_003);
  const { clock, nodes, roll } = at("2026-06-10T20:00:00Z");
  const forced = Date.parse("2026-06-12T08:15:30Z") / 1000;
  await nodes.update(caller, (await nodes.find(41_003)).id, {
    newDeploymentStatus: "Unassigned",
    newDeploymentStatusUpdateTimestamp: forced,
  });
  clock.advance(forced - clock.now() / 1000 - 1);
  expect(await roll()).toBe(0);
  clock.advance(1);
  expect(await roll()).toBe(1);
  expect(await statusOf(41_003)).toMatchObject({ current: "Unassigned", since: new Date(forced * 1000) });
});

test("runners at once share the work: each change happens once", async () => {
  const clock = createManualClock(Date.parse("2026-06-10T20:00:00Z"));
  for (let serial = 42_001; serial <= 42_250; serial++)
    await addNode(pool, serial, undefined, {
      new_deployment_status: "Unassigned",
      new_deployment_status_updated_at: "2026-06-10T00:00:00Z",
    });
  const runners = Array.from({ length: 4 }, () => createDeploymentStatusRoll({ pool, clock }));
  const counts = await Promise.all(runners.map(async (runner) => Number(await runner.run(signal))));
  // A runner that met only rows in other hands ended early; what it left is the next one's.
  const rest = Number(await runners[0]!.run(signal));
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(250);
  expect(new Set(await rolled()).size).toBe(250);
  expect(await rolled()).toHaveLength(250);
});

test("two schedulers of one cluster run it once", async () => {
  await addNode(pool, 41_004, undefined, { new_deployment_status: "Unassigned", new_deployment_status_updated_at: "2026-06-10T00:00:00Z" });
  const clock = createManualClock(Date.parse("2026-06-10T20:00:00Z"));
  const schedulers = [1, 2].map(() =>
    createScheduler({ pool, clock, log: silentLog, tasks: [createDeploymentStatusRoll({ pool, clock })] }),
  );
  await Promise.all(schedulers.map((scheduler) => scheduler.tick()));
  clock.advance(61);
  await Promise.all(schedulers.map((scheduler) => scheduler.tick()));
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  expect(await statusOf(41_004)).toMatchObject({ current: "Unassigned" });
  expect(await rolled()).toHaveLength(1);
});

test("a node that becomes Unassigned leaves its location and remembers it", async () => {
  const place = await addPlace(pool, "America/Chicago", "Birch Paper");
  await addNode(pool, 41_005, place, {
    current_deployment_status: "Deployed",
    new_deployment_status: "Unassigned",
    new_deployment_status_updated_at: "2026-06-10T00:00:00Z",
  });
  const { roll, nodes } = at("2026-06-10T20:00:00Z");
  expect(await roll()).toBe(1);
  expect(await nodes.find(41_005)).toMatchObject({
    currentDeploymentStatus: "Unassigned",
    isAssigned: false,
    locationId: null,
    unassignedCustomer: "Birch Paper",
    unassignedLocation: "Feed Pump 1",
  });
  expect(await rolled()).toEqual(["Node 41005 is Unassigned (was Deployed) and left Feed Pump 1"]);
});

test("a node that was taken off its location meanwhile is not Deployed, and the record says so", async () => {
  await addNode(pool, 41_006, undefined, { new_deployment_status: "Deployed", new_deployment_status_updated_at: "2026-06-10T00:00:00Z" });
  const { roll } = at("2026-06-10T20:00:00Z");
  expect(await roll()).toBe(1);
  expect(await statusOf(41_006)).toMatchObject({ current: "Pre-Deployment", requested: "Pre-Deployment" });
  expect(await rolled()).toEqual(["Node 41006 stays Pre-Deployment: it is at no location, so it cannot be Deployed"]);
  expect(await roll()).toBe(0);
});

test("an edit made on the state before midnight conflicts only where the roll wrote", async () => {
  await addNode(pool, 41_007, undefined, {
    container: "Rack 1",
    new_deployment_status: "Unassigned",
    new_deployment_status_updated_at: "2026-06-10T00:00:00Z",
  });
  const { roll, nodes } = at("2026-06-10T20:00:00Z");
  const before = await nodes.find(41_007);
  await roll();
  const { rows } = await pool.query<{ before: { revision: number }; after: { revision: number } }>("select before, after from activity");
  expect(rows[0]).toMatchObject({ before: { revision: before.revision }, after: { revision: before.revision + 1 } });
  expect((await nodes.find(41_007)).revision).toBe(before.revision + 1);
});
