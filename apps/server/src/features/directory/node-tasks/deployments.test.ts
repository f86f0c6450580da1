import type { Deployment, WiringEvidence } from "@busbar/contract/directory/deployments.ts";
import type { NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { takeWiringEvidence } from "./node-tasks.store.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { taskTemplates } from "./task-order.ts";
import { templateId } from "./task-template.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("fitter"));
});
afterAll(() => server.stop());

const board = async () => {
  const { json, status, text } = await server.call({ method: "GET", url: "/api/deployments", token });
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as { total: number; deployments: Deployment[] };
};
const send = (method: "GET" | "PATCH" | "POST", path: string, payload?: object) =>
  server.call({ method, url: `/api${path}`, token, ...(payload === undefined ? {} : { payload }) });
const cardOf = async (serial: number) => (await board()).deployments.find(({ serialNumber }) => serialNumber === String(serial));

const complete = (serial: number, id: number) =>
  send("PATCH", `/v2/nodes/${serial}/tasks/tasktemplate/${id}`, { status: "COMPLETED", notes: "" });
/** All tasks before this one, in their order. */
async function completeUntil(serial: number, id: number): Promise<void> {
  const ids = taskTemplates.map(templateId);
  for (const each of ids.slice(0, ids.indexOf(id))) {
    expect([each, (await complete(serial, each)).status]).toEqual([each, 200]);
  }
}

test("the board asks for a session of staff", async () => {
  expect((await server.call({ method: "GET", url: "/api/deployments" })).status).toBe(401);
});

test("lists what is in Pre-Deployment, and what is Deployed with tasks that are begun and not complete", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver", "Board Mills");
  await addNode(pool, 40_001, place, { deployment_task_type: "NL-NF" });
  await addNode(pool, 40_002, undefined, { current_deployment_status: "Deployed", new_deployment_status: "Deployed" });
  await addNode(pool, 40_003, undefined, { current_deployment_status: "Deployed", new_deployment_status: "Deployed" });
  await addNode(pool, 40_004, undefined, { current_deployment_status: "Deployed", new_deployment_status: "Deployed" });
  await addNode(pool, 40_005, undefined, { current_deployment_status: "Unassigned", new_deployment_status: "Unassigned" });
  await completeUntil(40_001, 103);
  await completeUntil(40_003, 210);
  await completeUntil(40_004, 210);
  await send("PATCH", "/v2/nodes/40004/tasks/tasktemplate/210", { status: "COMPLETED", notes: "" });

  const { total, deployments } = await board();
  expect([total, deployments.map(({ serialNumber }) => serialNumber).toSorted()]).toEqual([2, ["40001", "40003"]]);
  expect(await cardOf(40_001)).toMatchObject({
    customerName: "Board Mills",
    facilityId: place.facilityId,
    facilityName: "North Works",
    locationName: "Feed Pump 1",
    timezone: "America/Denver",
    deploymentTaskType: "NL-NF",
    completed: 2,
    total: 22,
    taskTemplateId: 103,
    state: "turn",
    turn: "office",
    reason: "",
    plannedTimestamp: null,
    movedBy: "Test Person",
  });
});

test("the board is in the order of customer, facility and serial number", async () => {
  const { pool } = server.database;
  const zinc = await addPlace(pool, "America/Denver", "Order Zinc");
  const ash = await addPlace(pool, "America/Denver", "Order Ash");
  const south = await pool.query<{ id: number }>(
    "insert into facility (customer_id, name, site_name) values ($1, 'Able Works', 'South') returning id",
    [ash.customerId],
  );
  const other = await pool.query<{ id: number }>(
    "insert into location (facility_id, name, timezone) values ($1, 'Fan', 'America/Denver') returning id",
    [south.rows[0]!.id],
  );
  await addNode(pool, 40_960, zinc);
  await addNode(pool, 40_963, { ...ash, locationId: other.rows[0]!.id });
  await addNode(pool, 40_962, ash);
  await addNode(pool, 40_961);
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values (40961, $1, 2)", [ash.locationId]);
  const { deployments } = await board();
  const own = deployments.filter(({ customerName }) => customerName.startsWith("Order "));
  expect(own.map(({ serialNumber }) => serialNumber)).toEqual(["40963", "40961", "40962", "40960"]);
});

test("a deployment lasts since its status or its first task, the earlier one, and was moved by who did the last task", async () => {
  const { pool } = server.database;
  await addNode(pool, 40_965, await addPlace(pool));
  const name = await server.addAdministrator("second.fitter");
  await pool.query("update app_user set first_name = 'Second', last_name = 'Fitter' where username = 'second.fitter'");
  const second = await server.login(name);
  const url = (id: number) => `/api/v2/nodes/40965/tasks/tasktemplate/${id}`;
  const payload = { status: "COMPLETED", notes: "" };
  expect((await server.call({ method: "PATCH", url: url(101), token, payload })).status).toBe(200);
  expect((await server.call({ method: "PATCH", url: url(102), token: second, payload })).status).toBe(200);
  const statusAt = async (at: number) => {
    await pool.query("update node set current_deployment_status_updated_at = to_timestamp($1) where serial_number = 40965", [at]);
    return await cardOf(40_965);
  };
  const tasks = await pool.query<{ first: number; last: number }>(
    "select floor(extract(epoch from min(updated_at)))::float8 as first, floor(extract(epoch from max(updated_at)))::float8 as last from node_task where serial_number = 40965",
  );
  const { first, last } = tasks.rows[0]!;
  expect(await statusAt(first + 900)).toMatchObject({ sinceTimestamp: first, movedTimestamp: last, movedBy: "Second Fitter" });
  expect(await statusAt(first - 900)).toMatchObject({ sinceTimestamp: first - 900 });
});

test("what is in the way of the next task, or what it waits for, is said", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver");
  await addNode(pool, 40_010, place);
  await completeUntil(40_010, 108);
  expect(await cardOf(40_010)).toMatchObject({ state: "evidence", turn: "workshop", reason: "It has not connected yet." });
  const minuteAgo = new Date(server.clock.now() - 60_000);
  await setLive(pool, 40_010, { is_connected: true, connection_changed_at: minuteAgo, last_seen_at: minuteAgo, clock_skew_ms: 7_200_000 });
  expect(await cardOf(40_010)).toMatchObject({ state: "turn", reason: "" });

  await pool.query("delete from node_assignment where serial_number = 40010");
  expect(await cardOf(40_010)).toMatchObject({ state: "blocked", reason: "It is at no location.", facilityId: null });
  await pool.query("insert into node_assignment values (40010, $1, 1)", [place.locationId]);
  await completeUntil(40_010, 203);
  await setLive(pool, 40_010, { last_scalar_at: minuteAgo });
  expect(await cardOf(40_010)).toMatchObject({ state: "evidence", reason: "Its values have stopped." });
  await setLive(pool, 40_010, { last_scalar_at: new Date(server.clock.now()) });
  expect(await cardOf(40_010)).toMatchObject({ state: "evidence", reason: "Its clock is about 2 h ahead." });
  await setLive(pool, 40_010, { clock_skew_ms: 100 });
  expect(await cardOf(40_010)).toMatchObject({ state: "turn", taskTemplateId: 203, turn: "site" });

  // Files that it sent from the bench are none of this place.
  await completeUntil(40_010, 204);
  const files = (at: Date) => setLive(pool, 40_010, { last_datafile_at: at, last_one_second_file_at: at });
  await files(new Date(Date.now() - 3_600_000));
  expect(await cardOf(40_010)).toMatchObject({ state: "evidence", reason: "No 15-minute file of this place has been read yet." });
  await files(new Date(Date.now() + 60_000));
  expect(await cardOf(40_010)).toMatchObject({ state: "turn" });

  await pool.query("update node set deployment_issue = true, deployment_issue_details = 'CT is missing' where serial_number = 40010");
  expect(await cardOf(40_010)).toMatchObject({ state: "blocked", reason: "CT is missing" });
});

test("a deployment is ready for approval when the status is all that is missing, and then waits for its time", async () => {
  const { pool } = server.database;
  await addNode(pool, 40_020, await addPlace(pool, "America/Denver"));
  await completeUntil(40_020, 209);
  expect(await cardOf(40_020)).toMatchObject({ state: "evidence", reason: "It has not connected yet.", completed: 20 });
  const justNow = new Date(server.clock.now());
  await setLive(pool, 40_020, {
    is_connected: true,
    connection_changed_at: justNow,
    last_seen_at: justNow,
    clock_skew_ms: 0,
    last_scalar_at: justNow,
  });
  expect(await cardOf(40_020)).toMatchObject({ state: "evidence", reason: "No 15-minute file of this place has been read yet." });
  const soon = new Date(Date.now() + 60_000);
  await setLive(pool, 40_020, { last_datafile_at: soon, last_one_second_file_at: soon });
  expect(await cardOf(40_020)).toMatchObject({ state: "approval", turn: "office", completed: 20 });
  const at = Date.UTC(2026, 10, 24, 7) / 1000;
  await pool.query(
    "update node set new_deployment_status = 'Deployed', new_deployment_status_updated_at = to_timestamp($1) where serial_number = 40020",
    [at],
  );
  expect(await cardOf(40_020)).toMatchObject({
    state: "evidence",
    reason: "Deployed is awaited.",
    plannedTimestamp: at,
  });
});

test("a deployment whose tasks are all ticked stays on the board, at B9, until its status is Deployed", async () => {
  const { pool } = server.database;
  await addNode(pool, 40_025, await addPlace(pool, "America/Denver"), { type: "SEL" });
  await completeUntil(40_025, 210);
  await complete(40_025, 210);
  // Its steps read it from here: a relay has no other evidence.
  expect((await tasksOf(40_025)).evidence).toMatchObject([{ taskTemplateId: 209, kind: "deployed", isSeen: false }]);
  expect(await cardOf(40_025)).toMatchObject({ state: "approval", turn: "office", taskTemplateId: 209, completed: 22, total: 22 });
  await send("POST", "/nodes/40025/deployed", { wiringReason: "It is idle" });
  expect(await cardOf(40_025)).toMatchObject({ state: "evidence", taskTemplateId: 209, reason: "Deployed is awaited." });
  await pool.query("update node set current_deployment_status = 'Deployed' where serial_number = 40025");
  expect(await cardOf(40_025)).toBeUndefined();
});

test("a decommissioned node, whose tasks are all ticked, is not asked for the status Deployed", async () => {
  const { customerId } = await addPlace(server.database.pool);
  await addNode(server.database.pool, 40_026);
  await completeUntil(40_026, 210);
  const deployed = async () => (await tasksOf(40_026)).evidence.filter(({ kind }) => kind === "deployed");
  expect(await deployed()).toMatchObject([{ taskTemplateId: 209, isSeen: false }]);
  const retired = { serialNumber: "40026", facilityName: "North Works", siteName: "North" };
  expect((await send("POST", `/customers/${customerId}/decommissionednodes`, retired)).status).toBe(200);
  expect(await deployed()).toEqual([]);
});

test("a relay, which the platform does not see by itself, waits for no evidence", async () => {
  const { pool } = server.database;
  await addNode(pool, 40_030, await addPlace(pool), { type: "SEL" });
  await completeUntil(40_030, 108);
  expect(await cardOf(40_030)).toMatchObject({ state: "turn", reason: "" });
});

/** A motor under load, as its node measures it now; with the CT of phase 2 turned round or not. */
async function measure(serial: number, sign: 1 | -1): Promise<void> {
  const [kw, kvar] = [11.778, 7.299];
  const values = [50, 50, 50, 480, 480, 480, kw, sign * kw, kw, kvar, sign * kvar, kvar];
  const at = server.clock.now();
  await setLive(server.database.pool, serial, {
    is_connected: true,
    last_scalar_at: new Date(at),
    last_scalar_data: `1,1,${at},60,${values.join(",")},,,`,
  });
}
const tasksOf = async (serial: number) => (await send("GET", `/v2/nodes/${serial}/tasks`)).json["data"] as NodeTasks;
const newestActivity = async (serial: number) => {
  const text = "select description from activity where object = $1 order by id desc limit 1";
  return (await server.database.pool.query<{ description: string }>(text, [`node/${serial}`])).rows[0]!.description;
};

test("B2 takes the wiring verdict with its values as evidence; what tells nothing leaves an earlier verdict", async () => {
  const { pool } = server.database;
  await addNode(pool, 40_040, await addPlace(pool, "America/Denver"));
  await completeUntil(40_040, 203);
  expect((await tasksOf(40_040)).wiring).toMatchObject({ outcome: "none", sentence: "No values have come from this node yet." });

  await measure(40_040, -1);
  await complete(40_040, 202);
  const sentence = "The CT of phase 2 is turned round.";
  const { wiring } = (await tasksOf(40_040)) as { wiring: WiringEvidence };
  expect(wiring).toMatchObject({ outcome: "wrong", sentence, takenBy: "fitter", timezone: "America/Denver" });
  expect([wiring.values!.kw, wiring.timestamp, wiring.is!.currents.length]).toEqual([
    [11.778, -11.778, 11.778],
    Math.floor(server.clock.now() / 1000),
    3,
  ]);
  expect(JSON.stringify(wiring)).not.toContain("oise");
  expect(await newestActivity(40_040)).toBe(`Task B2 of node 40040: wiring: ${sentence}`);
  expect(await cardOf(40_040)).toMatchObject({ state: "blocked", reason: `Wiring: ${sentence}` });

  await measure(40_040, 1);
  await complete(40_040, 202);
  expect((await tasksOf(40_040)).wiring).toMatchObject({ outcome: "right" });
  await pool.query(
    "update node_live set last_scalar_at = last_scalar_at - interval '1 day', changed_xid = pg_current_xact_id() where serial_number = 40040",
  );
  await complete(40_040, 202);
  const { wiring: kept, evidence } = await tasksOf(40_040);
  expect(kept).toMatchObject({ outcome: "right" });
  expect(evidence.filter(({ taskTemplateId }) => taskTemplateId === 202)).toMatchObject([
    { kind: "metering", isSeen: false, sentence: "Its values have stopped." },
    { kind: "wiring", isSeen: true, timestamp: kept!.timestamp },
  ]);

  // At another place everything is that of what is taken there.
  const elsewhere = await addPlace(pool);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 40040", [elsewhere.locationId]);
  await pool.query("update wiring_evidence set taken_at = to_timestamp(0) where serial_number = 40040");
  const shown = { actions: [], candidates: [], notShown: [], timezone: "UTC", values: null, is: null, ought: null };
  const none = { ...shown, outcome: "none", sentence: "Nothing yet.", timestamp: 1_790_000_000 } as const;
  expect(await inTransaction(pool, (client) => takeWiringEvidence(client, 40_040, "ada", none))).toBe(true);
  const { rows } = await pool.query(
    `select location_id, taken_at > to_timestamp(0) as is_new, taken_by, extract(epoch from measured_at)::int as at, outcome, sentence, snapshot
     from wiring_evidence where serial_number = 40040`,
  );
  expect(rows.map((row) => Object.values(row as object))).toEqual([
    [elsewhere.locationId, true, "ada", 1_790_000_000, "none", "Nothing yet.", shown],
  ]);
});

test("a task that asks for notes lacks evidence until they are written, in every deployment or in those of its kind", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver");
  await addNode(pool, 40_060, place, { deployment_task_type: "RMA" });
  await addNode(pool, 40_061, undefined, { deployment_task_type: "NL-NF" });
  const seenOf = async (serial: number, id: number) =>
    (await tasksOf(serial)).evidence
      .filter(({ taskTemplateId }) => taskTemplateId === id)
      .map(({ kind, isSeen, sentence }) => [kind, isSeen, sentence]);
  const noNotes = ["notes", false, "It asks for notes and has none."];
  expect(await seenOf(40_060, 101)).toEqual([["place", true, "It is at a location."], noNotes]);
  expect(await seenOf(40_060, 106)).toEqual([["registered", true, "It is registered as Node."], noNotes]);
  expect(await seenOf(40_061, 101)).toEqual([["place", false, "It is at no location."]]);
  expect((await seenOf(40_061, 205))[1]).toEqual(noNotes);
  await send("PATCH", "/v2/nodes/40061/tasks/tasktemplate/205", { status: "NOT_COMPLETED", notes: "480 V, 50 A" });
  expect((await seenOf(40_061, 205))[1]).toEqual(["notes", true, "It has notes."]);

  expect(await seenOf(40_060, 102)).toEqual([["nameplate", false, "The location has no voltage and full-load current yet."]]);
  await pool.query("update location set np_voltage = 480, np_current = 60.5 where id = $1", [place.locationId]);
  expect(await seenOf(40_060, 102)).toEqual([["nameplate", true, "The location has 480 V and 60.5 A."]]);
  // A9: what the node says of itself, against the nameplate; the sentences hold none of its values (SEC-03).
  const hold = (values: object) =>
    pool.query(
      `insert into node_config (serial_number, told_at, config_values, config_types) values (40060, now(), $1, '{}')
       on conflict (serial_number) do update set config_values = excluded.config_values`,
      [JSON.stringify(values)],
    );
  expect(await seenOf(40_060, 109)).toEqual([["configuration", false, "It has not reported its configuration yet."]]);
  await hold({ np_voltage: "460", np_current: "60.5", eq_type: "dc" });
  expect(await seenOf(40_060, 109)).toEqual([["configuration", false, "Its np_voltage, eq_type are not what its location says."]]);
  await hold({ np_voltage: "480.0", np_current: "60", eq_type: "ac" });
  expect(await seenOf(40_060, 109)).toEqual([["configuration", false, "Its np_current is not what its location says."]]);
  await hold({ np_voltage: "480", np_current: "60.5", eq_type: "ac" });
  expect(await seenOf(40_060, 109)).toEqual([
    ["configuration", true, "It holds the supply, voltage and full-load current of its location."],
  ]);
  expect(await seenOf(40_061, 109)).toEqual([
    ["configuration", false, "The location has no voltage and full-load current to compare with."],
  ]);

  const statusOf = async () => (await seenOf(40_060, 209)).at(-1);
  expect(await seenOf(40_060, 207)).toEqual([["nameplateValid", false, "Nameplate valid is not set yet."]]);
  expect(await statusOf()).toEqual(["deployed", false, "Deployed is not requested yet."]);
  await pool.query("update node set nameplate_valid = true, new_deployment_status = 'Deployed' where serial_number = 40060");
  expect(await seenOf(40_060, 207)).toEqual([["nameplateValid", true, "Nameplate valid is set."]]);
  expect(await statusOf()).toEqual(["deployed", false, "Deployed is requested and awaited."]);
  await pool.query("update node set current_deployment_status = 'Deployed' where serial_number = 40060");
  expect(await statusOf()).toEqual(["deployed", true, "Deployed is in effect."]);

  // Someone has to do it: the board waits for nothing that the node would send.
  expect(await cardOf(40_061)).toMatchObject({ taskTemplateId: 101, state: "turn", reason: "" });
});

test("Deployed without a wiring verdict keeps the reason with the change, and works without one", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  await addNode(pool, 40_050, place);
  await addNode(pool, 40_051, await addPlace(pool));
  await addNode(pool, 40_052, await addPlace(pool));
  await pool.query(
    "update location set equipment_type = 'DCMotor' where id = (select location_id from node_assignment where serial_number = 40052)",
  );
  const nodeOf = async (serial: number) =>
    (await send("GET", `/nodes/${serial}/details`)).json["data"] as { id: number; lacksWiringVerdict: boolean };
  const deploy = async (serial: number, fields: object = {}) =>
    (await send("PATCH", `/nodes/${(await nodeOf(serial)).id}`, { newDeploymentStatus: "Deployed", ...fields })).status;
  expect((await nodeOf(40_050)).lacksWiringVerdict).toBe(true);
  expect(await deploy(40_050, { wiringReason: "x".repeat(501) })).toBe(400);
  expect(await deploy(40_050, { wiringReason: "The machine runs in spring" })).toBe(200);
  expect(await newestActivity(40_050)).toMatch(
    /^Node 40050: status Deployed from .* without a wiring verdict: The machine runs in spring$/,
  );
  expect(await deploy(40_051)).toBe(200);
  expect(await newestActivity(40_051)).toMatch(/ without a wiring verdict: no reason given$/);
  // B-9: what was found is named by whoever asks, and by what is kept.
  await addNode(pool, 40_054, await addPlace(pool));
  await completeUntil(40_054, 202);
  await measure(40_054, -1);
  await complete(40_054, 202);
  const wrong = "The CT of phase 2 is turned round.";
  expect(await nodeOf(40_054)).toMatchObject({ lacksWiringVerdict: true, wiringVerdict: wrong });
  const many = { nodes: { serialNumbers: ["40054"], values: { newDeploymentStatus: "Deployed" } } };
  const planned = await server.call({ method: "POST", url: "/api/bulk-changes/plan", token, payload: many });
  expect(planned.json["data"]).toMatchObject({
    rows: [{ reason: expect.stringContaining(`Its wiring verdict is: ${wrong} Give a reason`) }],
  });
  expect(await deploy(40_054, { wiringReason: "It is repaired tomorrow" })).toBe(200);
  expect(await newestActivity(40_054)).toMatch(
    / without a right wiring verdict \(The CT of phase 2 is turned round\.\): It is repaired tomorrow$/,
  );

  // A direct current has no phases.
  expect((await nodeOf(40_052)).lacksWiringVerdict).toBe(false);
  expect(await deploy(40_052, { wiringReason: "none" })).toBe(200);
  expect(await newestActivity(40_052)).not.toContain("wiring");

  // A verdict is of its location: at another one there is none.
  await addNode(pool, 40_053, await addPlace(pool));
  await completeUntil(40_053, 202);
  await measure(40_053, 1);
  await complete(40_053, 202);
  expect((await nodeOf(40_053)).lacksWiringVerdict).toBe(false);
  const other = await addPlace(pool);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 40053", [other.locationId]);
  expect((await nodeOf(40_053)).lacksWiringVerdict).toBe(true);
  expect((await tasksOf(40_053)).wiring).toBeNull();
});

test("of more than 5,000 the board shows the oldest, and says how many there are", async () => {
  const { pool } = server.database;
  const { total } = await board();
  await pool.query(
    `insert into node (serial_number, current_deployment_status_updated_at)
     select n, to_timestamp(1600000000 + 100000 - n) from generate_series(50001, 55001) n`,
  );
  const full = await board();
  const shown = new Set(full.deployments.map(({ serialNumber }) => serialNumber));
  expect([full.total, full.deployments.length]).toEqual([total + 5_001, 5_000]);
  expect(["50001", "50002", "55001"].map((serial) => shown.has(serial))).toEqual([false, true, true]);
});
