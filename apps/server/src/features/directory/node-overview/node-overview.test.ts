import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
});
afterAll(() => server.stop());
const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

const ask = (serial: number | string, as?: string) =>
  server.call({ method: "GET", url: `/api/nodes/${serial}/overview`, ...(as === undefined ? {} : { token: as }) });
const read = async (serial: number, as = token) => {
  const { status, json, text } = await ask(serial, as);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as NodeOverview;
};

test("401 without a session and for a user of a customer, 400 for no serial number, 404 names a node that does not exist", async () => {
  expect((await ask(20001)).status).toBe(401);
  const { customerId } = await addPlace(server.database.pool);
  await server.addUser("its.user", customerId);
  await expect(server.login("its.user")).rejects.toThrow(/answered 40/);
  expect((await ask("2000x", token)).status).toBe(400);
  expect((await ask(99999, token)).json).toMatchObject({ errorCode: "NOT_FOUND", errorMessage: "Node 99999 was not found" });
});

test("a node of which nothing is known has empty lists and all its tasks before it", async () => {
  await addNode(server.database.pool, 20001);
  expect(await read(20001)).toMatchObject({
    serialNumber: "20001",
    customerId: null,
    facilityId: null,
    locationId: null,
    locationName: "",
    timezone: null,
    nodesBeside: [],
    connected: false,
    connectionChangedTimestamp: null,
    openAlarms: [],
    events: [],
    places: [],
    configTimestamp: null,
    configValueCount: null,
    configChanges: [],
    tasks: { completed: 0, taskTemplateId: 101 },
    notes: [],
    changes: [],
    previousSerialNumber: null,
  });
});

test("shows what is recorded of the node and of its location, newest first", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver", "Overview Mills");
  await addNode(pool, 20010, undefined, { current_deployment_status: "Deployed" });
  await addNode(pool, 20012);
  await addNode(pool, 20014);
  // Three nodes at one location, one after the other, and one beside the last.
  for (const serial of [20010, 20012, 20014]) {
    await query("delete from node_assignment where location_id = $1 and slot = 1", [place.locationId]);
    await query("insert into node_assignment values ($1, $2, 1)", [serial, place.locationId]);
  }
  await query("delete from node_assignment where serial_number = 20014");
  await query("insert into node_assignment values (20012, $1, 1)", [place.locationId]);
  await query("insert into node_assignment values (20010, $1, 2)", [place.locationId]);
  // An activity of its location, and of itself.
  await query(
    `with swap as (insert into node_swap (old_serial_number, new_serial_number, location_id, slot, customer_name, facility_name, location_name, swapped_by,
         reason, old_node_status) values (20014, 20012, $1, 1, '', '', '', 'x', '', 'Unassigned') returning swapped_at)
     insert into activity (ts, actor_type, actor, action, object, description) select swapped_at, 'User', 'x', 'SWAP_NODE', 'location/' || $1::text, 'a swap' from swap`,
    [place.locationId],
  );
  await setLive(pool, 20010, { is_connected: true });
  // At the same facility, and none of those whose connection says something about it.
  for (const [serial, columns] of [
    [20016, { current_deployment_status: "Pre-Deployment" }],
    [20018, { current_deployment_status: "Deployed", type: "SEL" }],
  ] as const) {
    await addNode(pool, serial, undefined, columns);
    await query(
      "with l as (insert into location (facility_id, name, timezone) values ($1, $2::text, 'UTC') returning id) insert into node_assignment select $2::int4, id, 1 from l",
      [place.facilityId, serial],
    );
  }
  await query(
    "insert into alarm (serial_number, kind, raised_at, value, threshold) values (20012, 'underVoltage', now(), 12.5, 10), (20012, 'current', now(), 12.5, 10)",
  );
  await query(
    "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values (20012, 'overVoltage', now() - interval '1 hour', now(), 10)",
  );
  await query(
    `insert into node_event values (20012, now(), 'trip', '{"fileName":"20012_20261122T000000Z_E0001.cev"}'),
       (20012, now() - interval '1 minute', 'voltageSag', '{"value":71.5,"limit":90,"at":1}')`,
  );
  await query("insert into location_note (location_id, ts, note) values ($1, now(), 'Belt changed')", [place.locationId]);
  await query("insert into location_note (location_id, ts, note, is_archived) values ($1, now(), 'Old', true)", [place.locationId]);
  await query(`insert into node_config values (20012, now(), '{"i_noise":"2","v_noise":"1"}')`);
  await query(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
     values ('a.person', 20012, '', 'UTC', 'i_noise', '16', '2', 'confirmed')`,
  );
  await query(
    "insert into node_task (serial_number, task_template_id, status, notes, updated_by_username, updated_by_full_name) values (20012, 101, 'COMPLETED', '', '', '')",
  );
  await query(
    `insert into activity (actor_type, actor, action, object, description) values
     ('User', 'x', 'PATCH_NODE', 'node/20012', 'of the node'), ('User', 'x', 'PATCH_TASK', 'node/20012', 'of a task'),
     ('User', 'x', 'PATCH_LOCATION', 'location/' || $1::text, 'of the location'), ('User', 'x', 'PATCH_NODE_CONFIG', 'node/20012', 'is in the list of values'),
     ('User', 'x', 'PATCH_NODE', 'node/20010', 'of another node'), ('Node', '20012', 'NODE_REBIRTH_REQUESTED', '20012', 'was asked'),
     ('Node', '20010', 'NODE_REBIRTH_REQUESTED', '20010', 'another was asked')`,
    [place.locationId],
  );

  const node = await read(20012);
  expect(node.requests.map(({ description }) => description)).toEqual(["was asked"]);
  expect(node).toMatchObject({
    customerName: "Overview Mills",
    facilityName: "North Works",
    locationName: "Feed Pump 1",
    ...place,
    timezone: "America/Denver",
    isSecondary: false,
    othersAtFacility: { total: 1, connected: 1 },
    nodesBeside: [{ serialNumber: "20010", isSecondary: true, connected: true }],
    // Of one moment, by their kind.
    openAlarms: [{ kind: "current" }, { kind: "underVoltage", measured: "Measured: 12.5 %, limit 10 %" }],
    events: [
      { kind: "trip", fileName: "20012_20261122T000000Z_E0001.cev", measured: null },
      { kind: "voltageSag", fileName: null, measured: "Lowest second: 71.5 % of the nameplate voltage" },
    ],
    configValueCount: 2,
    configChanges: [{ username: "a.person", key: "i_noise", oldValue: "16", newValue: "2", result: "confirmed" }],
    tasks: { completed: 1, taskTemplateId: 102 },
    notes: [{ note: "Belt changed" }],
    previousSerialNumber: "20010",
    nextSerialNumber: "20014",
  });
  expect(node.changes.map(({ description }) => description)).toEqual(["of the location", "of a task", "of the node", "a swap"]);
  expect(node.places.map((stay) => [stay.nodeSerialNumberBefore, stay.nodeSerialNumberAfter, stay.toTimestamp === null])).toEqual([
    ["20014", null, true],
    ["20010", "20014", false],
  ]);
});

test("a place that was deleted keeps its name and leads nowhere", async () => {
  const { pool } = server.database;
  const { locationId } = await addPlace(pool);
  await addNode(pool, 20020);
  await query("insert into node_assignment values (20020, $1, 1)", [locationId]);
  await query("delete from location where id = $1", [locationId]);
  const { places, locationId: present } = await read(20020);
  expect(present).toBeNull();
  expect(places).toMatchObject([{ locationId: null, locationName: "Feed Pump 1" }]);
});

test("lists have at most twenty lines, and numbers of an event that are no numbers are none", async () => {
  const { pool } = server.database;
  await addNode(pool, 20030);
  await query(
    `insert into node_event select 20030, now() - n * interval '1 minute', repeat('k', 64), '{"value":"high"}' from generate_series(1, 30) n`,
  );
  const place = await addPlace(pool);
  for (let stay = 0; stay < 22; stay++) {
    await query("delete from node_assignment where serial_number = 20030");
    await query("insert into node_assignment values (20030, $1, 1)", [place.locationId]);
  }
  await query(
    "insert into location_note (location_id, ts, note) select $1, now() - n * interval '1 day', n from generate_series(1, 30) n",
    [place.locationId],
  );
  await query(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
     select 'a.person', 20030, '', 'UTC', n, '', '1', 'confirmed' from generate_series(1, 30) n`,
  );
  await query(
    `insert into activity (ts, actor_type, actor, action, object, description)
     select now() - n * interval '1 minute', 'User', w.actor, w.action, w.object, n from generate_series(1, 30) n,
       (values ('x', 'PATCH_NODE', 'node/20030'), ('20030', 'NODE_REBIRTH_REQUESTED', '20030')) as w (actor, action, object)`,
  );
  const { events, places, notes, configChanges, changes, requests } = await read(20030);
  expect([events, places, notes, configChanges, changes, requests].map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 20]);
  expect(events[0]).toMatchObject({ measured: null });
  // The newest ones.
  const first = [notes[0]!.note, notes[19]!.note, changes[0]!.description, changes[19]!.description, requests[0]!.description];
  expect([...first, requests[19]!.description]).toEqual(["1", "20", "1", "20", "1", "20"]);
  expect([configChanges[0]!.key, configChanges[19]!.key]).toEqual(["30", "11"]);
});
