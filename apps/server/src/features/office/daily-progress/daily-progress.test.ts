import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createDailyProgressReport } from "./daily-progress-report.task.ts";
import { findReportedFacilities, findReportedNodes, readDayFigures } from "./daily-progress.store.ts";

const signal = new AbortController().signal;
let server: TestApp;
let place: TestPlace;
let serial = 43_000;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query(
    "delete from notification; delete from notice_told; delete from app_user; delete from node; delete from sensor_data",
  );
  place = await addPlace(server.database.pool);
  await addDeployed();
  await addSubscriber("ann");
});

async function addDeployed(columns: Record<string, unknown> = {}, at: TestPlace = place): Promise<number> {
  serial++;
  await addNode(server.database.pool, serial, at, {
    current_deployment_status: "Deployed",
    current_deployment_status_updated_at: "2026-01-01T00:00:00Z",
    ...columns,
  });
  return serial;
}

async function addLocation(name: string, timezone = "America/Chicago"): Promise<TestPlace> {
  const { rows } = await server.database.pool.query<{ id: number }>(
    "insert into location (facility_id, name, timezone) values ($1, $2, $3) returning id",
    [place.facilityId, name, timezone],
  );
  return { ...place, locationId: rows[0]!.id };
}

const addSubscriber = (name: string, columns: Record<string, unknown> = {}) =>
  server.addUser(name, place.customerId, {
    email: `${name}@mail.example`,
    receive_daily_report: true,
    auto_subscribe_all_facilities: true,
    ...columns,
  });

/** A record each quarter of an hour from one time until before another. */
async function addRecords(node: number, from: string, to: string): Promise<void> {
  await ensureSensorDataPartitions(server.database.pool, [Date.parse(from) / 1000, Date.parse(to) / 1000]);
  await server.database.pool.query(
    `insert into sensor_data (serial_number, ts, interval_seconds, running_seconds, kwh, current_avg, power_kw_avg, data)
     select $1, ts, 900, 450, 2.5, 40, 30, '{"currentMax": 55.5}' from generate_series($2::timestamptz, $3::timestamptz - interval '1 second', interval '15 minutes') ts`,
    [node, from, to],
  );
}

/** A service that starts at that moment, as after a restart. */
const runAt = (at: string) =>
  createDailyProgressReport({ ...server.context.fleetNotices, clock: createManualClock(Date.parse(at)) }, 0).run(signal);

const outbox = async () =>
  (
    await server.database.pool.query<{ subject: string; to: string[]; bcc: string[]; body: string }>(
      `select subject, recipients_to as "to", recipients_bcc as bcc, body from notification where kind = 'DAILY_PROGRESS' order by id`,
    )
  ).rows;
const subjects = async () => (await outbox()).map(({ subject }) => subject);

describe("the report of a facility's day", () => {
  test("goes out at 06:00 there, once, also when the server starts again and again", async () => {
    expect(await runAt("2026-06-10T04:59:00Z")).toBe(1); // 23:59: the day before yesterday is reported late rather than never
    expect(await runAt("2026-06-10T10:59:59Z")).toBe(0);
    expect(await runAt("2026-06-10T11:00:00Z")).toBe(1);
    for (const at of ["2026-06-10T11:00:01Z", "2026-06-10T20:00:00Z", "2026-06-11T10:59:00Z"]) expect(await runAt(at)).toBe(0);
    expect(await subjects()).toEqual([
      "[Development] Daily progress: North Works, 2026-06-08",
      "[Development] Daily progress: North Works, 2026-06-09",
    ]);
  });

  test("waits half an hour after a start, until nodes have brought what they kept", async () => {
    const clock = createManualClock(Date.parse("2026-06-10T12:00:00Z"));
    const task = createDailyProgressReport({ ...server.context.fleetNotices, clock });
    expect(await task.run(signal)).toBe(0);
    clock.advance(1_800);
    expect(await task.run(signal)).toBe(1);
  });

  test("is one though several servers make it at the same moment", async () => {
    await Promise.all(Array.from({ length: 4 }, () => runAt("2026-06-10T12:00:00Z")));
    expect(await outbox()).toHaveLength(1);
  });

  test("of days that no server was there to report stay unreported, except the newest", async () => {
    await runAt("2026-06-10T12:00:00Z");
    await runAt("2026-06-15T12:00:00Z");
    expect(await subjects()).toEqual([
      "[Development] Daily progress: North Works, 2026-06-09",
      "[Development] Daily progress: North Works, 2026-06-14",
    ]);
  });

  test("does not come again when a clock is set back", async () => {
    await runAt("2026-06-10T12:00:00Z");
    await runAt("2026-06-11T12:00:00Z");
    await runAt("2026-06-10T13:00:00Z");
    expect(await outbox()).toHaveLength(2);
  });

  test("waits for the last of the facility's time zones", async () => {
    await addDeployed({}, await addLocation("Far Pump", "Pacific/Honolulu"));
    await runAt("2026-06-10T15:00:00Z"); // 10:00 in Chicago, 05:00 in Honolulu
    expect(await subjects()).toEqual(["[Development] Daily progress: North Works, 2026-06-08"]);
    await runAt("2026-06-10T16:00:00Z");
    expect(await subjects()).toContain("[Development] Daily progress: North Works, 2026-06-09");
  });

  test("A-19 has the figures of each node's day, and their totals, without what the platform missed", async () => {
    await addRecords(serial, "2026-06-09T05:00:00Z", "2026-06-09T11:00:00Z");
    await addRecords(serial, "2026-06-10T05:00:00Z", "2026-06-10T08:00:00Z"); // today
    await server.database.pool.query("insert into node_demand_day values ($1, '2026-06-09', 31.25, 48.5, 86000, 86400)", [serial]);
    await server.database.pool.query(
      `insert into node_event values ($1, '2026-06-09T06:00:00Z', 'START', '{}'), ($1, '2026-06-09T04:59:59Z', 'START', '{}'), ($1, '2026-06-10T05:00:00Z', 'START', '{}')`,
      [serial],
    );
    await server.database.pool.query(
      "insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'overVoltage', '2026-06-10T04:59:59Z', 8), ($1, 'underVoltage', '2026-06-09T05:00:00Z', 8)",
      [serial],
    );
    await server.database.pool.query(
      "insert into activity (ts, actor_type, actor, action, description) select '2026-06-09T12:00:00Z', 'Node', $1, a, '' from unnest(array['NODE_DEATH', 'NODE_DEATH', 'NODE_BIRTH']) a",
      [String(serial)],
    );
    const presence = createIngestPresenceStore(server.database.pool);
    onTestFinished(async () => void (await server.database.pool.query("delete from ingest_presence")));
    for (const [from = "", to = ""] of [
      ["2026-06-09T00:00:00Z", "2026-06-09T09:00:00Z"],
      ["2026-06-09T09:10:00Z", "2026-06-10T11:00:00Z"],
    ])
      await presence.beat(await presence.begin(Date.parse(from)), Date.parse(to));
    await server.database.pool.query(
      "insert into activity (ts, actor_type, actor, action, description) values ('2026-06-09T09:05:00Z', 'Node', $1, 'NODE_DEATH', '')",
      [String(serial)],
    );
    await runAt("2026-06-10T11:00:00Z");
    expect((await outbox())[0]?.body).toBe(
      [
        "North Works, Alder Pumping: the day 2026-06-09",
        "",
        "Nodes: 1",
        "Running: 3 h 0 min",
        "Energy: 60 kWh",
        "Data: 24 records of 96 (25 %)",
        "Incidents: 1 event, 2 alarms, 2 connection losses",
        "",
        `Feed Pump 1 (${serial})`,
        "  Running 3 h 0 min, energy 60.0 kWh",
        "  Current 40.0 A average, 55.5 A peak",
        "  Power 31.3 kW average, 48.5 kW peak",
        "  Data 24 of 96 records (25 %)",
        "  1 event, 2 alarms, 2 connection losses",
        "",
      ].join("\n"),
    );
  });

  test("says – where nothing was measured, and takes energy from the meter where no file came", async () => {
    await addDeployed({}, await addLocation("Spare Pump"));
    await server.database.pool.query("insert into node_demand_day values ($1, '2026-06-09', 20, 30, 36000, 86400)", [serial]);
    await runAt("2026-06-10T11:00:00Z");
    const body = (await outbox())[0]?.body ?? "";
    expect(body).toContain("  Running –, energy – kWh\n  Current – A average, – A peak");
    expect(body).toContain("  Running –, energy 200.0 kWh");
    expect(body).toContain("Energy: 200 kWh");
  });

  test.each([
    ["2026-03-08T06:00:00Z", "2026-03-09T05:00:00Z", "2026-03-09T11:00:00Z", 92],
    ["2026-03-09T05:00:00Z", "2026-03-10T05:00:00Z", "2026-03-10T11:00:00Z", 96],
    ["2026-11-01T05:00:00Z", "2026-11-02T06:00:00Z", "2026-11-02T12:00:00Z", 100],
  ])("R10 of the day from %s to %s is complete with as many records as it has quarters of an hour", async (from, to, six, records) => {
    await addRecords(serial, from, to);
    expect(await runAt(new Date(Date.parse(six) - 1_000).toISOString())).toBe(1);
    await server.database.pool.query("delete from notification");
    expect(await runAt(six)).toBe(1);
    expect((await outbox())[0]?.body).toContain(`  Data ${records} of ${records} records (100 %)`);
  });

  test("expects records of a new node from its deployment on, and says nothing of one that came later", async () => {
    const late = await addDeployed({ current_deployment_status_updated_at: "2026-06-09T17:00:00Z" }, await addLocation("Late Pump"));
    const tooLate = await addDeployed({ current_deployment_status_updated_at: "2026-06-10T06:00:00Z" }, await addLocation("Newest Pump"));
    await runAt("2026-06-10T11:00:00Z");
    const body = (await outbox())[0]?.body;
    expect(body).toContain(`Late Pump (${late})`);
    expect(body).toContain("Data 0 of 48 records");
    expect(body).not.toContain(String(tooLate));
  });

  test("of a big facility lists only what is worth a look", async () => {
    for (let count = 0; count < 30; count++) {
      const node = await addDeployed({}, await addLocation(`Mill ${count}`));
      if (count !== 7) await addRecords(node, "2026-06-09T05:00:00Z", "2026-06-10T05:00:00Z");
    }
    await runAt("2026-06-10T11:00:00Z");
    const body = (await outbox())[0]?.body ?? "";
    expect(body.split("\n").length).toBeLessThan(20);
    expect(body).toMatch(/^Mill 7 \(\d+\): data 0 %, 0 events, 0 alarms, 0 connection losses$/m);
    expect(body).toContain("The other 29 nodes: nothing to look at.");
  });
});

describe("who gets it", () => {
  test("subscribers who want a daily report, however often they hear of other events; internal ones on BCC", async () => {
    await addSubscriber("uninterested", { receive_daily_report: false });
    await addSubscriber("gone", { active_status: "SUSPENDED" });
    await addSubscriber("insider", { internal_user: true });
    await addSubscriber("bystander", { auto_subscribe_all_facilities: false });
    const weekly = await addSubscriber("weekly", { auto_subscribe_all_facilities: false });
    await server.database.pool.query("insert into facility_subscription values ($1, $2, 'Weekly')", [weekly, place.facilityId]);
    const stranger = (await addPlace(server.database.pool)).customerId;
    await server.addUser("stranger", stranger, { receive_daily_report: true, auto_subscribe_all_facilities: true });
    await runAt("2026-06-10T11:00:00Z");
    expect(await outbox()).toMatchObject([{ to: ["ann@mail.example", "weekly@mail.example"], bcc: ["insider@mail.example"] }]);
  });

  test("no one: no message, and who subscribes later begins with the next day", async () => {
    await server.database.pool.query("update app_user set receive_daily_report = false");
    expect(await runAt("2026-06-10T11:00:00Z")).toBe(0);
    await server.database.pool.query("update app_user set receive_daily_report = true");
    expect(await runAt("2026-06-10T12:00:00Z")).toBe(0);
    expect(await runAt("2026-06-11T11:00:00Z")).toBe(1);
  });

  test.each([
    ["monitor_daily_progress = false"],
    ["disable_monitoring = true"],
    ["pause_notifications = true"],
    ["deployment_issue = true"],
    ["current_deployment_status = 'Pre-Deployment'"],
    ["type = 'SEL'"],
  ])("no one where the only node has %s", async (change) => {
    await server.database.pool.query(`update node set ${change}`);
    expect(await runAt("2026-06-10T11:00:00Z")).toBe(0);
    expect(await outbox()).toEqual([]);
  });
});

test("nodes are those of the facility that are watched and reported of, by location; a day has what is from its start to before its end", async () => {
  const { pool } = server.database;
  const first = serial;
  const second = await addDeployed({}, await addLocation("a pump"));
  const third = await addDeployed({}, await addLocation("Pump 2"));
  for (const columns of [
    { current_deployment_status: "Pre-Deployment" },
    { monitor_daily_progress: false },
    { disable_monitoring: true },
    { pause_notifications: true },
    { deployment_issue: true },
    { type: "SEL" },
  ])
    await addDeployed(columns, await addLocation("No pump"));
  const elsewhere = await addDeployed({}, await addPlace(pool));
  const inOne = <T>(work: (client: PoolClient) => Promise<T>) => inTransaction(pool, work);
  const nodes = await inOne((client) => findReportedNodes(client, place.facilityId));
  expect(nodes.map(({ serialNumber, locationName }) => [serialNumber, locationName])).toEqual([
    [second, "a pump"],
    [first, "Feed Pump 1"],
    [third, "Pump 2"],
  ]);
  expect((await findReportedFacilities(pool)).map(({ facilityId }) => facilityId).slice(-2)).toEqual([
    place.facilityId,
    (
      await pool.query<{ id: number }>(
        "select facility_id as id from location join node_assignment on location_id = id where serial_number = $1",
        [elsewhere],
      )
    ).rows[0]!.id,
  ]);

  const start = Date.UTC(2026, 2, 3) / 1000;
  const end = start + 86_400;
  await ensureSensorDataPartitions(pool, [start - 900, end]);
  const record = (node: number, at: number, current: number, kw: number, most?: number) =>
    pool.query(
      "insert into sensor_data (serial_number, ts, interval_seconds, running_seconds, kwh, current_avg, power_kw_avg, data) values ($1, to_timestamp($2), 900, 60, 1, $3, $4, $5)",
      [node, at, current, kw, most === undefined ? {} : { currentMax: most }],
    );
  await record(first, start - 900, 900, 900, 999);
  await record(first, start, 10, 4, 30);
  await record(first, end - 900, 40, 8);
  await record(first, end, 900, 900, 999);
  await record(second, start, 500, 500, 501);
  for (const at of [start - 1, start, end - 1, end]) {
    await pool.query("insert into node_event (serial_number, ts, kind, body) values ($1, to_timestamp($2), 'x', '{}')", [first, at]);
    await pool.query(
      "insert into alarm (serial_number, kind, raised_at, threshold, cleared_at) values ($1, 'overVoltage', to_timestamp($2), 1, now())",
      [first, at],
    );
    await pool.query(
      "insert into activity (ts, actor_type, actor, action, description) select to_timestamp($2), 'Node', $1, a, '' from unnest(array['NODE_DEATH', 'NODE_BIRTH']) a",
      [String(first), at],
    );
  }
  await pool.query("insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'overVoltage', to_timestamp($2), 1)", [
    second,
    start,
  ]);
  await pool.query(
    "insert into node_demand_day (serial_number, day, average_kw, peak_kw, covered_seconds, length_seconds) select s, d::date, k, k, 3600, 86400 from (values ($1::int4, '2026-03-02', 70), ($1, '2026-03-04', 80), ($2, '2026-03-03', 90)) v (s, d, k)",
    [first, second],
  );
  const figures = await inOne((client) =>
    readDayFigures(
      client,
      [
        { serialNumber: first, date: "2026-03-03", start, end },
        { serialNumber: third, date: "2026-03-03", start, end },
      ],
      [
        { start: start - 60, end: start },
        { start: end - 60, end: end - 2 },
      ],
    ),
  );
  expect([...figures.keys()].toSorted((a, b) => a - b)).toEqual([first, third]);
  expect(figures.get(first)).toEqual({
    serialNumber: first,
    records: 2,
    runningSeconds: 120,
    kwh: 2,
    averageCurrent: 25,
    peakCurrent: 40,
    averageKw: 6,
    peakKw: 8,
    events: 2,
    alarms: 2,
    // The other one was while the platform was away.
    connectionLosses: 1,
  });
  expect(figures.get(third)).toMatchObject({ records: 0, kwh: null, peakKw: null, events: 0, alarms: 0, connectionLosses: 0 });
});
