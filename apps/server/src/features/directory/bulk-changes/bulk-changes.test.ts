import { mostBulkObjects, type BulkChange, type BulkPlanRow } from "@busbar/contract/directory/bulk-changes.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let ann: string;
let kim: string;
let place: TestPlace;
beforeAll(async () => {
  server = await createTestApp();
  ann = await server.login(await server.addAdministrator("ann"));
  kim = await server.login(await server.addAdministrator("kim"));
});
afterAll(() => server.stop());
const deployed = { new_deployment_status: "Deployed", current_deployment_status: "Deployed", container: "Rack 1" };
/** Three nodes of which the first alone is at a location. */
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query("delete from bulk_change; delete from activity; delete from node; delete from location");
  place = await addPlace(pool);
  await addNode(pool, 10_001, place, deployed);
  await addNode(pool, 10_002, undefined, { ...deployed, data_point_interval_seconds: 60 });
  await addNode(pool, 10_003, undefined, { container: "Rack 2" });
});

type Answer = Awaited<ReturnType<TestApp["call"]>>;
const send = (method: "GET" | "POST" | "PATCH", path: string, payload?: object, as = ann): Promise<Answer> =>
  server.call({ method, url: `/api${path}`, token: as, ...(payload ? { payload } : {}) });
const said = ({ status, json }: Answer): [number, unknown] => [status, json["errorMessage"]];
const data = ({ status, json, text }: Answer): unknown => {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json["data"];
};
const rowsOf = async <Row extends object>(text: string) => (await server.database.pool.query<Row>(text)).rows;

const nodes = (values: object, serialNumbers: readonly string[] = ["10001", "10002", "10003"]) => ({ nodes: { serialNumbers, values } });
const planOf = async (order: object) => (data(await send("POST", "/bulk-changes/plan", order)) as { rows: BulkPlanRow[] }).rows;
const digestsOf = (rows: readonly BulkPlanRow[]) => rows.map(({ digest }) => digest);
const run = async (order: object, rows: readonly BulkPlanRow[], as = ann) =>
  send("POST", "/bulk-changes", { ...order, digests: digestsOf(rows) }, as);
const done = async (order: object) => data(await run(order, await planOf(order))) as { id: number; changed: number };
const wordsOf = (rows: readonly BulkPlanRow[]) =>
  rows.map(({ name, changes, reason }) => [
    name,
    reason || changes.map(({ label, before, after }) => `${label} ${String(before)} -> ${String(after)}`).join(", "),
  ]);
const stored = () =>
  rowsOf<{ serial_number: number; interval: number; container: string }>(
    "select serial_number, data_point_interval_seconds as interval, container from node order by 1",
  ).then((rows) => rows.map(({ serial_number: serial, interval, container }) => [serial, interval, container]));
const activities = () =>
  rowsOf<{ actor: string; action: string; object: string; description: string }>("select * from activity order by id");
const patch = async (serial: number, values: object, as = kim) => {
  const [node] = await rowsOf<{ id: number }>(`select id from node where serial_number = ${serial}`);
  data(await send("PATCH", `/nodes/${node!.id}`, values, as));
};

const interval = nodes({ dataPointInterval: 60, container: "Rack 1" });
const asBefore = [
  [10_001, 900, "Rack 1"],
  [10_002, 60, "Rack 1"],
  [10_003, 900, "Rack 2"],
];

test("A-63 five values are named, and of six five with how many more", async () => {
  const five = {
    dataPointInterval: 60,
    container: "Rack 9",
    monitorMissingData: false,
    monitorDailyProgress: false,
    notifyOnConnect: true,
  };
  const namesOf = async (values: object) => {
    const order = nodes(values, ["10001"]);
    await run(order, await planOf(order));
    return (await activities()).at(-1)!.description.replace("Changed 1 node: ", "").split(", ");
  };
  const names = await namesOf(five);
  expect([names.length, names.at(-1)]).toEqual([5, expect.not.stringContaining("more")]);
  const others = {
    dataPointInterval: 900,
    container: "Rack 8",
    monitorMissingData: true,
    monitorDailyProgress: true,
    notifyOnConnect: false,
  };
  const more = await namesOf({ ...others, pauseNotifications: true });
  expect([more.length, more.at(-1)]).toEqual([5, expect.stringMatching(/ and 1 more$/)]);
});

test("a dry run shows old and new values and writes nothing; done, each node has its own activity, and it is put back in one step", async () => {
  const order = nodes({ dataPointInterval: 60, container: "Rack 1" }, ["10003", "10002", "10001", "99999"]);
  const plan = await planOf(order);
  expect(wordsOf(plan)).toEqual([
    ["10001", "Datapoint Interval 900 -> 60"],
    ["10002", "The same already"],
    ["10003", "Datapoint Interval 900 -> 60, Container Rack 2 -> Rack 1"],
    ["99999", "There is no node 99999"],
  ]);
  expect(plan[0]).toMatchObject({ place: "Feed Pump 1", timezone: "America/Chicago" });
  expect(await stored()).toEqual(asBefore);
  expect(await activities()).toEqual([]);

  const { id, changed } = data(await run(order, plan)) as { id: number; changed: number };
  expect(changed).toBe(2);
  expect((await stored()).map(([, seconds]) => seconds)).toEqual([60, 60, 60]);
  expect((await activities()).map(({ actor, action, object, description }) => [actor, action, object, description])).toEqual([
    ["ann", "PATCH_NODE", "node/10001", "Node 10001: dataPointInterval changed"],
    ["ann", "PATCH_NODE", "node/10003", "Node 10003: container, dataPointInterval changed"],
    ["ann", "BULK_CHANGE", `bulk/${id}`, "Changed 2 nodes: Datapoint Interval, Container"],
  ]);

  const undo = { undo: id };
  const back = await planOf(undo);
  expect(wordsOf(back)).toEqual([
    ["10001", "Datapoint Interval 60 -> 900"],
    ["10003", "Datapoint Interval 60 -> 900, Container Rack 1 -> Rack 2"],
  ]);
  const undone = data(await run(undo, back)) as { id: number };
  expect(await stored()).toEqual(asBefore);
  expect((await activities()).at(-1)).toMatchObject({
    action: "UNDO_BULK_CHANGE",
    description: `Put back, of bulk change ${id}, 2 nodes: Datapoint Interval, Container`,
  });
  expect(data(await send("GET", `/bulk-changes/${id}`))).toMatchObject({
    kind: "nodes",
    undoes: null,
    undoneBy: [undone.id],
    madeBy: "ann",
    objects: [{ name: "10001", changes: [{ field: "dataPointInterval", before: 900, after: 60 }] }, { name: "10003" }],
  });
  expect(data(await send("GET", `/bulk-changes/${undone.id}`))).toMatchObject({ undoes: id, undoneBy: [] });
});

test("what was changed since is named and not put back; the rest is", async () => {
  const { id } = await done(interval);
  await patch(10_003, { container: "Rack 9" });
  const back = await planOf({ undo: id });
  expect(wordsOf(back)).toEqual([
    ["10001", "Datapoint Interval 60 -> 900"],
    ["10003", "Changed since: Container"],
  ]);
  expect((await run({ undo: id }, back)).status).toBe(200);
  expect(await stored()).toEqual([
    [10_001, 900, "Rack 1"],
    [10_002, 60, "Rack 1"],
    [10_003, 60, "Rack 9"],
  ]);
  // A second time there is nothing left to put back.
  expect(wordsOf(await planOf({ undo: id })).map(([, words]) => words)).toEqual([
    "Changed since: Datapoint Interval",
    "Changed since: Container",
  ]);
  expect(said(await run({ undo: id }, await planOf({ undo: id })))).toEqual([409, "Nothing would be changed"]);
});

describe("a status", () => {
  const statusOf = async (serial: number) =>
    (await rowsOf(`select new_deployment_status, current_deployment_status from node where serial_number = ${serial}`)).map((row) =>
      Object.values(row),
    )[0];

  const deploy = (wiringReason: string) => ({ nodes: { ...nodes({ newDeploymentStatus: "Deployed" }).nodes, wiringReason } });

  test("NFM-07 follows the rules of the single change, begins at midnight of each place, and is put back while it is awaited", async () => {
    await patch(10_001, { newDeploymentStatus: "Pre-Deployment" });
    const plan = await planOf(deploy("Tried by hand"));
    expect(wordsOf(plan).slice(1)).toEqual([
      ["10002", "The same already"],
      ["10003", "The node is at no location: make it the node of a location first"],
    ]);
    expect(plan[0]?.changes[0]).toMatchObject({ field: "newDeploymentStatus", before: "Pre-Deployment", after: "Deployed" });

    const order = nodes({ newDeploymentStatus: "Unassigned" });
    const { id } = await done(order);
    expect(await statusOf(10_001)).toEqual(["Unassigned", "Deployed"]);
    await done({ undo: id });
    // As before: someone had asked for Pre-Deployment.
    expect(await statusOf(10_001)).toEqual(["Pre-Deployment", "Deployed"]);
    expect(await statusOf(10_002)).toEqual(["Deployed", "Deployed"]);
  });

  test("NFM-07 is not put back once it has become effective", async () => {
    const { id } = await done(nodes({ newDeploymentStatus: "Unassigned" }, ["10002"]));
    await server.database.pool.query(
      "update node set current_deployment_status = 'Unassigned', current_deployment_status_updated_at = new_deployment_status_updated_at",
    );
    expect(wordsOf(await planOf({ undo: id }))).toEqual([["10002", "Changed since: Current Status, Current Status From"]]);
    // What stayed is not said to have changed.
    const { objects } = data(await send("GET", `/bulk-changes/${id}`)) as BulkChange;
    expect(objects[0]?.changes.map(({ field }) => field)).toEqual(["newDeploymentStatus", "newDeploymentStatusUpdateTimestamp"]);
  });
});

test("NFM-07 a node without a wiring verdict becomes Deployed only with a reason, which it alone keeps", async () => {
  const { pool } = server.database;
  await addNode(pool, 10_004, await addPlace(pool));
  const dc = await addPlace(pool);
  // Nothing that could be exchanged: no verdict is asked for.
  await pool.query("update location set equipment_type = 'DCMotor' where id = $1", [dc.locationId]);
  await addNode(pool, 10_005, dc);
  const order = (reason: object) => ({ nodes: { ...nodes({ newDeploymentStatus: "Deployed" }, ["10004", "10005"]).nodes, ...reason } });
  const labelsOf = (rows: readonly BulkPlanRow[]) => rows.map(({ changes, reason }) => reason || changes.map(({ label }) => label));
  const [status, from] = ["Deployment Status", "Status From"];
  for (const none of [{}, { wiringReason: " " }])
    expect(labelsOf(await planOf(order(none)))).toEqual(["It has no wiring verdict: give a reason", [status, from]]);

  const explained = order({ wiringReason: " The machine runs in spring " });
  const plan = await planOf(explained);
  expect(labelsOf(plan)).toEqual([
    [status, "Reason without wiring verdict", from],
    [status, from],
  ]);
  expect(plan[0]?.changes[1]).toMatchObject({ before: null, after: "The machine runs in spring" });
  expect((await run(order({ wiringReason: "Another" }), plan)).status).toBe(409);
  const { id } = data(await run(explained, plan)) as { id: number };
  const saidOf = async (object: string) => (await activities()).findLast((activity) => activity.object === object)?.description;
  expect(await saidOf("node/10004")).toMatch(/^Node 10004: status Deployed from .* without a wiring verdict: The machine runs in spring$/);
  expect(await saidOf("node/10005")).not.toContain("wiring");

  const undone = await done({ undo: id });
  expect(undone.changed).toBe(2);
  expect(await done({ undo: undone.id })).toMatchObject({ changed: 2 });
  expect(await saidOf("node/10004")).toMatch(/ status Deployed from .* without a wiring verdict: Put back$/);
  const again = await done({ undo: id });
  expect(data(await send("GET", `/bulk-changes/${id}`))).toMatchObject({ undoneBy: [again.id, undone.id] });
});

describe("nothing is changed, and it is said why,", () => {
  test("when someone changed one of them since the dry run; other fields do not hurt", async () => {
    const plan = await planOf(interval);
    await patch(10_003, { container: "Rack 9" });
    await patch(10_001, { disableMonitoring: true });
    expect(said(await run(interval, plan))).toEqual([
      409,
      "This is not what was shown: 10003 (last changed by kim). Nothing was changed; look at it again",
    ]);
    expect((await stored()).map(([, seconds]) => seconds)).toEqual([900, 60, 900]);
    expect((await activities()).map(({ action }) => action)).toEqual(["PATCH_NODE", "PATCH_NODE"]);
  });

  test("when it was done already, or by someone else at the same moment", async () => {
    const plan = await planOf(interval);
    const answers = await Promise.all([run(interval, plan), run(interval, plan, kim)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(await rowsOf("select from bulk_change")).toHaveLength(1);
    expect((await run(interval, plan)).status).toBe(409);
  });

  test("when the digests are of other nodes, of fewer or of other values", async () => {
    const plan = await planOf(interval);
    for (const [order, rows] of [
      [interval, plan.slice(0, 2)],
      [interval, plan.toReversed()],
      [nodes({ dataPointInterval: 61, container: "Rack 1" }), plan],
      [nodes({ dataPointInterval: 60, container: "Rack 1" }, ["10001", "10002"]), plan],
    ] as const)
      expect((await run(order, rows)).status).toBe(409);
    expect(await stored()).toEqual(asBefore);
  });

  test("when one of them fails; the dry run leaves such a node out", async () => {
    const { pool } = server.database;
    const plan = await planOf(interval);
    await pool.query(
      `create function poison() returns trigger language plpgsql as $$ begin if new.serial_number = 10003 then raise 'poisoned'; end if; return new; end $$`,
    );
    await pool.query("create trigger poison before update on node for each row execute function poison()");
    try {
      expect((await run(interval, plan)).status).toBe(409);
      expect(await stored()).toEqual(asBefore);
      const again = await planOf(interval);
      expect(wordsOf(again).at(-1)).toEqual(["10003", "The platform failed on it. Its log says why"]);
      expect(server.logText()).toContain("poisoned");
      expect((await run(interval, again)).status).toBe(200);
      expect((await stored()).map(([, seconds]) => seconds)).toEqual([60, 60, 900]);
    } finally {
      await pool.query("drop trigger poison on node; drop function poison");
    }
  });
});

test("CUS-14 locations: a zone and single alerts are changed and put back; another alert of the same location does not hurt", async () => {
  const { pool } = server.database;
  const other = await addPlace(pool, "America/Denver", "Birch Board");
  const at = { timezone: "America/Denver", fault_library_alert_flags: { voltageThd: true } };
  await pool.query("update location set fault_library_alert_flags = $2 where id = $1", [place.locationId, at.fault_library_alert_flags]);
  const flagsOf = async (id: number) =>
    (await rowsOf<{ flags: object }>(`select fault_library_alert_flags as flags from location where id = ${id}`))[0]?.flags;
  const values = { timezone: "America/Denver", faultLibraryAlertFlags: { voltageThd: false, overVoltage: false } };
  const order = { locations: { locationIds: [other.locationId, place.locationId, 999_999], values } };
  const plan = await planOf(order);
  expect(plan.map(({ name, place: where, reason }) => [name, where, reason])).toEqual([
    ["Feed Pump 1", "Alder Pumping / North Works", ""],
    ["Feed Pump 1", "Birch Board / North Works", ""],
    ["Location 999999", "", "This location was not found: it may have been deleted"],
  ]);
  expect(wordsOf(plan.slice(0, 1))).toEqual([
    ["Feed Pump 1", "Time Zone America/Chicago -> America/Denver, Alert: Voltage THD true -> false, Alert: Over-voltage null -> false"],
  ]);
  const { id } = data(await run(order, plan)) as { id: number };
  expect(await flagsOf(place.locationId)).toEqual({ overVoltage: false, voltageThd: false });
  expect((await activities()).map(({ action, object }) => [action, object])).toEqual([
    ["PATCH_LOCATION", `location/${place.locationId}`],
    ["PATCH_LOCATION", `location/${other.locationId}`],
    ["BULK_CHANGE", `bulk/${id}`],
  ]);
  const path = `/customers/${place.customerId}/facilities/${place.facilityId}/locations/${place.locationId}`;
  data(await send("PATCH", path, { faultLibraryAlertFlags: { overVoltage: false, voltageThd: false, currentThd: true } }, kim));
  await done({ undo: id });
  expect(await flagsOf(place.locationId)).toEqual({ voltageThd: true, currentThd: true });
  expect(await flagsOf(other.locationId)).toEqual({});
  expect(await rowsOf("select timezone from location order by id")).toEqual([
    { timezone: "America/Chicago" },
    { timezone: "America/Denver" },
  ]);
  const unknown = { locations: { locationIds: [place.locationId], values: { faultLibraryAlertFlags: { noSuchAlert: true } } } };
  expect(said(await send("POST", "/bulk-changes/plan", unknown))).toEqual([
    400,
    "locations.values.faultLibraryAlertFlags: There is no alert named noSuchAlert",
  ]);
});

test("USR-07 subscriptions: each user by the rules of one, an administrator's by a systemAdministrator only", async () => {
  const { pool } = server.database;
  const { facilityId, customerId } = place;
  const elsewhere = await addPlace(pool, "UTC", "Brine Works");
  const [rowan, ida] = [await server.addUser("rowan", customerId), await server.addUser("ida", elsewhere.customerId)];
  const chief = await server.addUser("chief", customerId, { is_administrator: true });
  await pool.query("insert into facility_subscription (user_id, facility_id, frequency) values ($1, $2, 'Weekly')", [rowan, facilityId]);
  const order = { subscriptions: { userIds: [chief, ida, rowan], facilities: [{ facilityId, frequency: "Daily" }] } };
  const plan = await planOf(order);
  expect(wordsOf(plan)).toEqual([
    ["rowan", "North Works Weekly -> Daily"],
    ["ida", "North Works is not a facility of ida's customer: only an internal user subscribes to others'"],
    ["chief", "chief is an administrator; changing that account needs the role systemAdministrator"],
  ]);
  const { id } = data(await run(order, plan)) as { id: number };
  const subscribed = () => rowsOf("select user_id as user, frequency from facility_subscription order by 1");
  expect(await subscribed()).toEqual([{ user: rowan, frequency: "Daily" }]);
  expect((await activities()).map(({ action, object }) => [action, object])).toEqual([
    ["PATCH_SUBSCRIPTIONS", `user/${rowan}`],
    ["BULK_CHANGE", `bulk/${id}`],
  ]);
  // As the list was shown to someone who may do more: then it is another change.
  const sys = await server.login(await server.addAdministrator("sys", ["systemAdministrator"]));
  expect((await run(order, plan, sys)).status).toBe(409);
  await done({ undo: id });
  expect(await subscribed()).toEqual([{ user: rowan, frequency: "Weekly" }]);
  expect(wordsOf(await planOf({ undo: id }))).toEqual([["rowan", "Changed since: North Works"]]);
});

test("what nodes send is stored while they are changed: nothing that refers to them waits", async () => {
  const { pool } = server.database;
  const plan = await planOf(interval);
  const [writer, ingest] = [await pool.connect(), await pool.connect()];
  await writer.query("begin; select from node where serial_number = 10003 for no key update");
  const running = run(interval, plan);
  try {
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '/* lock-nodes-by-id */%'";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await ingest.query("select from node where serial_number = 10001 for key share nowait");
  } finally {
    await writer.query("rollback");
    writer.release();
    ingest.release();
  }
  expect((await running).status).toBe(200);
});

test("what cannot be asked for is refused by name", async () => {
  const serials = (count: number) => Array.from({ length: count }, (_, index) => String(10_001 + index));
  const plan = async (body: object) => said(await send("POST", "/bulk-changes/plan", body));
  const values = { dataPointInterval: 60 };
  expect(await plan(nodes(values, ["10001", "10001"]))).toEqual([400, "nodes.serialNumbers: serialNumbers has each entry once"]);
  expect(await plan(nodes(values, serials(mostBulkObjects + 1)))).toEqual([
    400,
    `nodes.serialNumbers: serialNumbers has at most ${mostBulkObjects} entries`,
  ]);
  expect(await plan(nodes({}))).toEqual([400, "nodes.values: Change at least one field"]);
  expect(await plan(nodes({ dataPointInterval: 0 }))).toEqual([
    400,
    "nodes.values.dataPointInterval: Data point interval is from 1 to 9999",
  ]);
  expect(await plan(nodes({ newDeploymentStatus: "Decommissioned" }))).toEqual([
    400,
    "nodes.values.newDeploymentStatus: Deployment status is one of the list",
  ]);
  expect(await plan(nodes({ serialNumber: "10009" }))).toEqual([400, "nodes.values.serialNumber: this call has no such field"]);
  expect((await plan({ ...nodes(values), undo: 1 }))[0]).toBe(400);
  expect((await plan({}))[0]).toBe(400);
  expect((await plan({ undo: 1_000_000 }))[0]).toBe(404);
  const rows = await planOf(nodes(values, serials(mostBulkObjects)));
  expect([rows.length, rows.at(-1)?.reason]).toEqual([mostBulkObjects, `There is no node ${10_000 + mostBulkObjects}`]);
});
