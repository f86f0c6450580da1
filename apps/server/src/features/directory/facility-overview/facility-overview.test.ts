import type { FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { outagesOf } from "./facility-overview.view.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
});
afterAll(() => server.stop());
const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);
const ask = (id: number | string, as?: string) =>
  server.call({ method: "GET", url: `/api/facilities/${id}/overview`, ...(as === undefined ? {} : { token: as }) });

test("401 without a session, 400 for no number, 404 for a facility that does not exist", async () => {
  expect((await ask(1)).status).toBe(401);
  expect((await ask("x", token)).status).toBe(400);
  expect((await ask(999_999, token)).json).toMatchObject({ errorMessage: "This facility was not found: it may have been deleted" });
});

test("shows its nodes with their verdicts, its outages, and who is notified", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver", "Overview Mills");
  const elsewhere = await addPlace(pool);
  await addNode(pool, 30002, place);
  await addNode(pool, 30001);
  await query("insert into node_assignment values (30001, $1, 2)", [place.locationId]);
  await addNode(pool, 30009, elsewhere);
  await query("insert into location (facility_id, name, timezone) values ($1, 'Fan', 'America/Denver'), ($1, 'Saw', 'America/Boise')", [
    place.facilityId,
  ]);
  await setLive(pool, 30001, { is_connected: true });
  await query("insert into alarm (serial_number, kind, raised_at, threshold) values (30002, 'underVoltage', now(), 10)");
  await query(
    `insert into node_verdict (serial_number, kind, gravity, sentence, evidence) values (30002, 'alarm', 'act', 'Under-voltage.', '[]'), (30009, 'away', 'act', 'Away.', '[]')`,
  );
  await query(
    `insert into node_verdict_history (serial_number, began_at, kind, gravity, sentence) values
     (30001, now() - interval '2 hours', 'outage', 'act', ''), (30001, now() - interval '1 hour', 'fine', 'fine', ''),
     (30002, now() - interval '2 hours', 'outage', 'act', ''), (30002, now() - interval '50 minutes', 'fine', 'fine', ''),
     (30009, now() - interval '2 hours', 'outage', 'act', '')`,
  );
  const own = await server.addUser("own.row", place.customerId);
  await query("insert into facility_subscription values ($1, $2, 'Weekly')", [own, place.facilityId]);
  const all = await server.addUser("all.facilities", place.customerId, { auto_subscribe_all_facilities: true });
  await server.addUser("suspended", place.customerId, { auto_subscribe_all_facilities: true, active_status: "SUSPENDED" });
  await server.addUser("of.another", elsewhere.customerId, { auto_subscribe_all_facilities: true });
  await query("insert into facility_manager values ($1, $2)", [place.facilityId, own]);

  const { json, status, text } = await ask(place.facilityId, token);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  const facility = json["data"] as FacilityOverview;
  expect(facility).toMatchObject({
    id: place.facilityId,
    facilityName: "North Works",
    customerName: "Overview Mills",
    timezones: [{ timezone: "America/Boise" }, { timezone: "America/Denver" }],
    locationCount: 3,
    nodes: [
      { serialNumber: "30001", isSecondary: true, connected: true, openAlarmCount: 0, verdict: null },
      { serialNumber: "30002", isSecondary: false, connected: false, openAlarmCount: 1, verdict: { kind: "alarm", gravity: "act" } },
    ],
    outages: [{ nodeCount: 2 }],
    managers: [{ username: "own.row" }],
    subscribers: [
      { userId: own, frequency: "Weekly" },
      { userId: all, frequency: "Immediate" },
    ],
  });
  const [outage] = facility.outages;
  expect(outage!.toTimestamp! - outage!.fromTimestamp).toBe(4_200);
});

test("an outage ends with the node's next verdict; those of 30 days are shown, newest first, and alarms that are open", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver", "Outage Mills");
  await addNode(pool, 30_021, place);
  await query(
    `insert into node_verdict_history (serial_number, began_at, kind, gravity, sentence) values
     (30021, now() - interval '31 days', 'outage', 'act', ''), (30021, now() - interval '30 days 12 hours', 'fine', 'fine', ''),
     (30021, now() - interval '29 days', 'outage', 'act', ''), (30021, now() - interval '28 days 23 hours', 'fine', 'fine', ''),
     (30021, now() - interval '3 days', 'outage', 'act', ''), (30021, now() - interval '2 days 22 hours', 'away', 'act', ''),
     (30021, now() - interval '2 days', 'fine', 'fine', ''), (30021, now() - interval '1 hour', 'outage', 'act', '')`,
  );
  await query(
    `insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values
     (30021, 'underVoltage', now() - interval '2 hours', now() - interval '1 hour', 10), (30021, 'overVoltage', now(), null, 10)`,
  );
  const { json } = await ask(place.facilityId, token);
  const { nodes, outages } = json["data"] as FacilityOverview;
  expect(nodes).toMatchObject([{ serialNumber: "30021", openAlarmCount: 1 }]);
  const hours = outages.map(({ fromTimestamp, toTimestamp }) => toTimestamp && (toTimestamp - fromTimestamp) / 3_600);
  expect(hours).toEqual([null, 2, 1]);
});

test("losses that began together are one outage, which lasts until the last node is back", () => {
  expect(
    outagesOf([
      { from: 0, to: 100 },
      { from: 200, to: 900 },
      { from: 480, to: 800 },
      { from: 2_000, to: 2_100 },
      { from: 2_010, to: null },
      { from: 4_000, to: null },
      { from: 4_300, to: 4_400 },
      { from: 4_601, to: 4_700 },
    ]),
  ).toEqual([
    { fromTimestamp: 4_601, toTimestamp: 4_700, nodeCount: 1 },
    { fromTimestamp: 4_000, toTimestamp: null, nodeCount: 2 },
    { fromTimestamp: 2_000, toTimestamp: null, nodeCount: 2 },
    { fromTimestamp: 0, toTimestamp: 900, nodeCount: 3 },
  ]);
});
