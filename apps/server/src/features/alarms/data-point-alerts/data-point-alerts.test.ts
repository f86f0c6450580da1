import { settings } from "@busbar/alarms/testing/feed.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createDataPointAlerts, type DataPointAlerts } from "./data-point-alerts.service.ts";
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
    const { clock, database } = server;
    const young = createDataPointMonitor({ pool: database.pool, clock, alerts });
    expect(await young.run(signal)).toBe(0);
    await change("update node set current_deployment_status_updated_at = now() + interval '1 day'");
    expect(await monitor.run(signal)).toBe(0);
    await change("update node set current_deployment_status_updated_at = to_timestamp(0)");
    expect(await monitor.run(signal)).toBe(1);
  });

  test("are forgotten with the subscription to hear of them", async () => {
    await lastBegan(now() - 86_400);
    await monitor.run(signal);
    await change("update node set monitor_data_point_alerts = false");
    await monitor.run(signal);
    expect((await change("select from data_point_alert")).rowCount).toBe(0);
  });
});
