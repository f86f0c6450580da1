import { alarmKinds, type AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { ActivityPage } from "@busbar/contract/system/feeds.ts";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { writeAlarmChanges } from "./write-alarm-changes.ts";

let server: TestApp;
let token: string;
let place: TestPlace;
let serial = 35_000;
const noon = Date.UTC(2026, 5, 10, 12) / 1000;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query(
    "delete from notification; delete from activity; delete from app_user where email like '%@mail.example'",
  );
  place = await addPlace(server.database.pool);
  await addNode(server.database.pool, ++serial, place, { current_deployment_status: "Deployed" });
  await server.database.pool.query(
    `insert into app_user (username, email, customer_id, auto_subscribe_all_facilities) values ('ann', 'ann@mail.example', $1, true)`,
    [place.customerId],
  );
});

const raise = (kind: AlarmKind, at = noon, change: "raised" | "cleared" = "raised") =>
  inTransaction(server.database.pool, (client) =>
    writeAlarmChanges(
      client,
      [{ serialNumber: serial, locationId: place.locationId, kind, change, at, value: 11, limit: 10 }],
      (inside, raised) => server.context.faultNotices.notify(inside, raised),
    ),
  );

async function eventCount(): Promise<number> {
  await server.context.fleet.runTick();
  const { liveJson } = server.context.fleet.snapshot.entries.get(String(serial))!;
  return (JSON.parse(`{${liveJson}}`) as DashboardNode).eventCount;
}

/** What the page GP Node Events asks for. */
async function listed(): Promise<{ total: number; objects: string[]; descriptions: string[] }> {
  const { json } = await server.call({
    method: "GET",
    url: `/api/activities?actor=${serial}&action=POST_CUSTOMER_GP_EVENT&from=1&count=20`,
    token,
  });
  const data = json["data"] as ActivityPage;
  return {
    total: data.total,
    objects: data.activities.map(({ object }) => object),
    descriptions: data.activities.map(({ description }) => description),
  };
}

const messages = async () =>
  (
    await server.database.pool.query<{ kind: string; to: string[]; bcc: string[]; reason: string | null }>(
      `select kind, recipients_to as "to", recipients_bcc as bcc, sent_failed_reason as reason from notification order by id`,
    )
  ).rows;

describe("DSH-10 FEE-02 events of alarms", () => {
  test("are as many on the dashboard as in the list of the node's events, one for each alarm that was raised", async () => {
    await raise("overVoltage");
    await raise("overVoltage");
    await raise("overVoltage", noon + 600, "cleared");
    await raise("overVoltage", noon + 1_200);
    await raise("stopOfInterest", noon + 1_300);
    expect(await eventCount()).toBe(3);
    const list = await listed();
    expect([list.total, list.objects]).toEqual([3, ["stopOfInterest", "overVoltage", "overVoltage"]]);
    expect(list.descriptions[1]).toBe(`Over-voltage of node ${serial} at 2026-06-10 12:20:00 UTC. Measured: 11.0 %, limit 10 %`);
    const { rows } = await server.database.pool.query("select from alarm where serial_number = $1", [serial]);
    expect(rows).toHaveLength(3);
  });

  test("of every kind are named by their flag and say what was measured", async () => {
    for (const kind of alarmKinds) await raise(kind);
    const list = await listed();
    expect([list.total, await eventCount()]).toEqual([alarmKinds.length, alarmKinds.length]);
    expect(list.objects.toSorted()).toEqual([...alarmKinds].toSorted());
    for (const description of list.descriptions) expect(description).toMatch(/^[A-Z].* of node \d{5} at .* UTC\. .*\d/);
  });
});

describe("who is notified", () => {
  test("a location's flag that is off leaves the event and keeps the message away", async () => {
    await server.database.pool.query(`update location set fault_library_alert_flags = '{"overVoltage":false}' where id = $1`, [
      place.locationId,
    ]);
    await raise("overVoltage");
    expect([await eventCount(), (await listed()).total, await messages()]).toEqual([1, 1, []]);
  });

  test("a pause leaves the event and writes the message down without sending it", async () => {
    await server.database.pool.query("update node set pause_notifications = true where serial_number = $1", [serial]);
    await raise("overVoltage");
    expect([await eventCount(), (await listed()).total]).toEqual([1, 1]);
    expect(await messages()).toMatchObject([{ reason: "Paused: notifications of this node are paused" }]);
  });

  test("NFM-09 a deployment issue leaves the event and notifies our own people only", async () => {
    await server.database.pool.query("update node set deployment_issue = true where serial_number = $1", [serial]);
    await server.database.pool.query(
      `insert into app_user (username, email, internal_user) values ('insider', 'insider@mail.example', true)`,
    );
    await server.database.pool.query(
      "insert into facility_subscription (user_id, facility_id, frequency) select id, $1, 'Immediate' from app_user where username = 'insider'",
      [place.facilityId],
    );
    await raise("voltageSag");
    expect(await eventCount()).toBe(1);
    expect(await messages()).toEqual([{ kind: "FAULT_voltageSag", to: [], bcc: ["insider@mail.example"], reason: null }]);
  });
});
