import { settings } from "@busbar/alarms/testing/feed.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createDataPointAlerts, type DataPointAlerts } from "./data-point-alerts.service.ts";
import { clearAlerts, findAlertPlaces, findLate, forgetAlerts, raiseAlerts } from "./data-point-alerts.store.ts";
import { createDataPointMonitor } from "./data-point-monitor.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let alerts: DataPointAlerts;
let monitor: Task;
let serial = 34_000;

beforeAll(async () => {
  server = await createTestApp();
  const { clock, context, database } = server;
  alerts = createDataPointAlerts({
    mail: context.mail,
    clock,
    internalRecipients: () => Promise.resolve(["desk@busbar.example"]),
    environment: "Development",
  });
  monitor = createDataPointMonitor({ pool: database.pool, clock, alerts }, 0);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query("delete from notification; delete from data_point_alert; delete from node");
  await addNode(server.database.pool, ++serial, await addPlace(server.database.pool), {
    current_deployment_status: "Deployed",
    current_deployment_status_updated_at: epoch(now() - 30 * 86_400),
  });
  await setLive(server.database.pool, serial, { is_connected: true, connection_changed_at: epoch(now() - 86_400) });
});

const now = () => server.clock.now() / 1000;
const epoch = (seconds: number) => new Date(seconds * 1000);
const change = (text: string) => server.database.pool.query(text);
const outbox = async () =>
  (
    await server.database.pool.query<{ kind: string; subject: string; to: string[]; body: string; reason: string | null }>(
      `select kind, subject, recipients_to as "to", body, sent_failed_reason as reason from notification order by id`,
    )
  ).rows;

const right = { voltageAvg: 460, currentAvg: 80, powerKwAvg: 50, interval: 900, samples: 900, missing: 0 };
const whole = Object.fromEntries([1, 2, 3].flatMap((phase) => [[`voltage${phase}Avg`, 460] as const, [`current${phase}Avg`, 80] as const]));
/** Data points of the node in their order. */
const review = (...points: Record<string, number | null>[]) =>
  inTransaction(server.database.pool, (client) =>
    alerts.review(
      client,
      points.map((values, index) => ({
        serialNumber: serial,
        at: now() + 900 * index,
        values: { ...right, ...whole, ...values },
        settings,
      })),
    ),
  );

describe("what a data point shows", () => {
  test("is reported inside, once until it is over, and then again", async () => {
    await review({ powerFactorAvg: 4 });
    await review({ powerFactorAvg: 5 });
    const [message, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: "DATA_POINT_ALERT",
      subject: `[Development] Data point alert: Feed Pump 1, North Works (${serial})`,
      to: ["desk@busbar.example"],
      reason: null,
    });
    expect(message?.body).toContain(`holds values that cannot be: node ${serial}`);
    expect(message?.body).toContain("What: powerFactorAvg is 4");
    await review({});
    server.clock.advance(900);
    await review({ powerFactorAvg: 4 });
    expect(await outbox()).toHaveLength(2);
  });

  test("of several kinds is a message each; what is over in the same run is reported too", async () => {
    await review({ powerFactorAvg: 4, currentAvg: null });
    expect(await outbox()).toHaveLength(2);
    server.clock.advance(900);
    await review({}, { powerFactorAvg: 4 }, {});
    expect(await outbox()).toHaveLength(3);
    expect((await change("select from data_point_alert")).rowCount).toBe(0);
  });

  test.each(["monitor_data_point_alerts = false", "disable_monitoring = true", "current_deployment_status = 'Pre-Deployment'"])(
    "is not reported of a node with %s",
    async (columns) => {
      await change(`update node set ${columns}`);
      await review({ powerFactorAvg: 4 });
      expect(await outbox()).toEqual([]);
    },
  );

  test("of a paused node is written down and not sent", async () => {
    await change("update node set pause_notifications = true");
    await review({ powerFactorAvg: 4 });
    expect(await outbox()).toMatchObject([{ reason: "Paused: notifications of this node are paused" }]);
  });
});

describe("late data points", () => {
  const lastBegan = (seconds: number) => setLive(server.database.pool, serial, { last_datafile_at: epoch(seconds) });
  const kinds = async () => (await outbox()).map(({ body }) => body.split(":")[0]);

  test("are not over because a data point of an earlier time comes late", async () => {
    await lastBegan(now() - 3_600 - 20);
    expect(await monitor.run(signal)).toBe(1);
    await review({});
    expect(await monitor.run(signal)).toBe(0);
    expect(await kinds()).toEqual(["Data points are late"]);
  });

  test("are those of a connected node, three intervals after they were due, reported once until one comes", async () => {
    await lastBegan(now() - 900 - 3 * 900 + 10);
    expect(await monitor.run(signal)).toBe(0);
    server.clock.advance(20);
    expect(await monitor.run(signal)).toBe(1);
    server.clock.advance(3_600);
    expect(await monitor.run(signal)).toBe(0);
    expect(await kinds()).toEqual(["Data points are late"]);
    await lastBegan(now() - 900);
    await monitor.run(signal);
    expect((await change("select from data_point_alert")).rowCount).toBe(0);
    server.clock.advance(4 * 900);
    expect(await monitor.run(signal)).toBe(1);
  });

  test("follow the node's own interval", async () => {
    await change("update node set data_point_interval_seconds = 60");
    await lastBegan(now() - 250);
    expect(await monitor.run(signal)).toBe(1);
  });

  test("are not those of a node without a connection, just connected, deployed, or just started with", async () => {
    await lastBegan(now() - 86_400);
    await setLive(server.database.pool, serial, { is_connected: false });
    expect(await monitor.run(signal)).toBe(0);
    await setLive(server.database.pool, serial, { is_connected: true, connection_changed_at: epoch(now() - 2_600) });
    expect(await monitor.run(signal)).toBe(0);
    await setLive(server.database.pool, serial, { connection_changed_at: epoch(now() - 86_400) });
    const clock = createManualClock(server.clock.now());
    const young = createDataPointMonitor({ pool: server.database.pool, clock, alerts });
    expect(await young.run(signal)).toBe(0);
    clock.advance(1_799);
    expect(await young.run(signal)).toBe(0);
    await change("update node set current_deployment_status_updated_at = now() + interval '1 day'");
    expect(await monitor.run(signal)).toBe(0);
    await change("update node set current_deployment_status_updated_at = to_timestamp(0)");
    expect(await monitor.run(signal)).toBe(1);
    await change("delete from data_point_alert");
    clock.advance(1);
    expect(await young.run(signal)).toBe(1);
  });

  test("are forgotten with the subscription to hear of them", async () => {
    await lastBegan(now() - 86_400);
    await monitor.run(signal);
    await change("update node set monitor_data_point_alerts = false");
    await monitor.run(signal);
    expect((await change("select from data_point_alert")).rowCount).toBe(0);
  });
});

describe("among nodes of which each differs in one respect", () => {
  const ago = (seconds: number) => epoch(now() - seconds);
  async function addWatched(columns: Record<string, unknown> = {}): Promise<number> {
    const { pool } = server.database;
    await addNode(pool, ++serial, await addPlace(pool), {
      current_deployment_status: "Deployed",
      current_deployment_status_updated_at: ago(30 * 86_400),
      ...columns,
    });
    await setLive(pool, serial, { is_connected: true, connection_changed_at: ago(86_400) });
    return serial;
  }
  const addUnwatched = async () => [
    await addWatched({ current_deployment_status: "Pre-Deployment" }),
    await addWatched({ disable_monitoring: true }),
    await addWatched({ monitor_data_point_alerts: false }),
    await addWatched({ type: "SEL" }),
  ];
  const kept = async () =>
    (
      await server.database.pool.query<{ serial: number; kind: string }>(
        "select serial_number as serial, kind from data_point_alert order by serial_number, kind",
      )
    ).rows.map((row) => `${row.serial} ${row.kind}`);
  const found = (serialNumber: number, kind: "late" | "incomplete" | "implausible") => ({ serialNumber, kind, at: now(), detail: "" });
  const inOne = <T>(work: (client: PoolClient) => Promise<T>) => inTransaction(server.database.pool, work);

  test("alerts are raised of those that are watched, end each for itself, and are forgotten of the others", async () => {
    const { pool } = server.database;
    const [first, second] = [serial, await addWatched()];
    const unwatched = await addUnwatched();
    const all = [first, second, ...unwatched];
    const raised = await inOne((client) =>
      raiseAlerts(
        client,
        all.map((each) => found(each, "incomplete")),
      ),
    );
    expect(raised.map(({ serialNumber }) => serialNumber)).toEqual([first, second]);
    await pool.query(
      "insert into data_point_alert (serial_number, kind, raised_at, detail) select s, k, now(), '' from unnest($1::int4[]) s, unnest(array['late', 'implausible']) k",
      [all],
    );
    await inOne((client) => clearAlerts(client, [{ serialNumber: first, kinds: ["implausible"] }]));
    // Data points are due every 900 s, and late after three more of them.
    await setLive(pool, first, { last_datafile_at: ago(3_601) });
    await setLive(pool, second, { last_datafile_at: ago(3_600) });
    await forgetAlerts(pool, now());
    expect(await kept()).toEqual([`${first} implausible`, `${first} late`, `${second} implausible`, `${second} incomplete`]);
  });

  test("late are those that are connected and due for longer than three intervals, and not said to be late yet", async () => {
    const { pool } = server.database;
    const late = [serial, await addWatched(), await addWatched()];
    const others = [
      ...(await addUnwatched()),
      await addWatched(),
      await addWatched(),
      await addWatched(),
      await addWatched(),
      await addWatched(),
    ];
    for (const each of [...late, ...others]) await setLive(pool, each, { last_datafile_at: ago(3_601) });
    const [reported, away, newlyBack, justDue, newlyDeployed] = others.slice(4) as [number, number, number, number, number];
    await pool.query(
      "insert into data_point_alert (serial_number, kind, raised_at, detail) values ($1, 'late', now(), ''), ($2, 'incomplete', now(), '')",
      [reported, late[0]],
    );
    await setLive(pool, away, { is_connected: false });
    await setLive(pool, newlyBack, { connection_changed_at: ago(2_700) });
    await setLive(pool, late[1]!, { connection_changed_at: ago(2_701) });
    await setLive(pool, justDue, { last_datafile_at: ago(3_600) });
    await setLive(pool, late[2]!, { last_datafile_at: null });
    await pool.query("update node set current_deployment_status_updated_at = $2 where serial_number = $1", [newlyDeployed, ago(2_700)]);
    expect((await findLate(pool, now())).map(({ serialNumber, at }) => [serialNumber, Math.round(now() - at)])).toEqual([
      [late[0], 2_701],
      [late[1], 2_701],
      [late[2], 30 * 86_400],
    ]);
  });

  test("who is muted at that moment, itself or with its place, is said to be with the reason that lasts longest", async () => {
    const { pool } = server.database;
    const nodes = [serial];
    for (let count = 0; count < 6; count++) nodes.push(await addWatched(count === 5 ? { pause_notifications: true } : {}));
    await addNode(pool, ++serial);
    const [over, early, itself, atLocation, atFacility, longest, paused] = nodes as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const mute = (column: string, of: number, from: number, until: number, reason: string) =>
      pool.query(
        `insert into mute (${column}, from_at, until_at, reason, username)
         select p.${column}, $2, $3, $4, 'ann' from (select n.serial_number, l.id as location_id, l.facility_id from node n
           join node_assignment a using (serial_number) join location l on l.id = a.location_id) p where p.serial_number = $1`,
        [of, ago(-from), ago(-until), reason],
      );
    await mute("serial_number", over, -60, 0, "over");
    await mute("serial_number", early, 1, 60, "early");
    await mute("serial_number", itself, 0, 1, "node");
    await mute("location_id", atLocation, -1, 60, "location");
    await mute("facility_id", atFacility, -1, 60, "facility");
    for (const [until, reason] of [
      [50, "sooner"],
      [70, "longest"],
      [60, "soon"],
    ] as const)
      await mute("serial_number", longest, -1, until, reason);
    const places = await inOne((client) => findAlertPlaces(client, [...nodes, serial], now()));
    expect([...nodes, serial].map((each) => places.get(each)!.heldReason)).toEqual([
      null,
      null,
      "Muted: node",
      "Muted: location",
      "Muted: facility",
      "Muted: longest",
      "Paused: notifications of this node are paused",
      null,
    ]);
    expect([places.get(serial), places.get(paused)?.locationName]).toEqual([
      { serialNumber: serial, locationName: null, facilityName: null, timezone: "UTC", heldReason: null },
      "Feed Pump 1",
    ]);
    expect([...(await inOne((client) => findAlertPlaces(client, [over], now()))).keys()]).toEqual([over]);
  });
});
