import type { Incident, IncidentDetails } from "@busbar/contract/alarms/incidents.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { writeAlarmChanges } from "#features/alarms/alarms/write-alarm-changes.ts";
import { createConnectivityMonitor } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import { createNodeSignalsStore } from "#features/telemetry/node-verdicts/node-signals.store.ts";
import { writeVerdicts } from "#features/telemetry/node-verdicts/node-verdicts.store.ts";
import { createNodeVerdicts } from "#features/telemetry/node-verdicts/node-verdicts.task.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";
import { createIncidentFollowedStore } from "./incident-followed.store.ts";
import { createIncidents } from "./incidents.task.ts";

let server: TestApp;
let token: string;
let place: TestPlace;
let serial = 40_000;
let services: ReturnType<typeof newServices>;

const newServices = () => {
  const { pool } = server.database;
  const { clock, context } = server;
  return {
    verdicts: createNodeVerdicts({ pool, store: createNodeSignalsStore(pool), clock }),
    monitor: createConnectivityMonitor(context.fleetNotices),
    incidents: createIncidents({ pool, store: createIncidentFollowedStore(pool), clock }),
  };
};
const run = async () => {
  for (const task of [services.verdicts, services.monitor, services.incidents]) await task.run(new AbortController().signal);
};
const runFor = async (seconds: number) => {
  for (let left = seconds; left > 0; left -= 30) {
    server.clock.advance(Math.min(30, left));
    await run();
  }
};

beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("ann");
  await server.addAdministrator("bob");
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query("delete from incident; delete from notification; delete from node; delete from connection_loss");
  place = await addPlace(pool);
  await server.addUser(`customer${place.facilityId}`, place.customerId, { auto_subscribe_all_facilities: true });
  services = newServices();
  token = await server.login("ann");
});

const secondsAgo = (seconds: number) => new Date(server.clock.now() - seconds * 1_000);
const connect = (node: number, isConnected: boolean) =>
  setLive(server.database.pool, node, { is_connected: isConnected, connection_changed_at: secondsAgo(0), last_scalar_at: secondsAgo(0) });
/** Deployed, connected, and with scalars for as long as a test lasts. */
async function addWell(count = 1): Promise<number[]> {
  const { pool } = server.database;
  const serials: number[] = [];
  for (let index = 0; index < count; index++) {
    const { rows } = await pool.query<{ id: number }>(
      "insert into location (facility_id, name, timezone) values ($1, 'Pump ' || $2::int, 'America/Denver') returning id",
      [place.facilityId, ++serial],
    );
    await addNode(
      pool,
      serial,
      { ...place, locationId: rows[0]!.id },
      { current_deployment_status: "Deployed", new_deployment_status: "Deployed" },
    );
    await setLive(pool, serial, { is_connected: true, connection_changed_at: secondsAgo(86_400), last_scalar_at: secondsAgo(-86_400) });
    serials.push(serial);
  }
  return serials;
}
const send = async (method: "GET" | "POST" | "PATCH", url: string, payload?: object, as = token) =>
  server.call({ method, url: `/api/incidents${url}`, token: as, ...(payload ? { payload } : {}) });
async function list(query = ""): Promise<Incident[]> {
  token = await server.login("ann");
  return (await send("GET", query)).json["data"] as Incident[];
}
const find = async (id: number) => (await send("GET", `/${id}`)).json["data"] as IncidentDetails;
const raise = (node: number, kind: "overVoltage" | "voltageSag", at: number) =>
  inTransaction(server.database.pool, (client) =>
    writeAlarmChanges(client, [{ change: "raised", kind, at, value: 9, limit: 8, serialNumber: node, locationId: null }], (inner, raised) =>
      server.context.faultNotices.notify(inner, raised),
    ),
  );
const clear = (node: number, at: number) =>
  inTransaction(server.database.pool, (client) =>
    writeAlarmChanges(
      client,
      [{ change: "cleared", kind: "overVoltage", at, value: 1, limit: 8, serialNumber: node, locationId: null }],
      () => Promise.resolve(),
    ),
  );

test("an outage of 200 nodes is one incident with one message, and ends when they are back", async () => {
  const nodes = await addWell(200);
  await run();
  expect(await list()).toEqual([]);
  for (const [index, node] of nodes.entries()) {
    if (index % 50 === 0) await runFor(20);
    await connect(node, false);
  }
  await runFor(700);
  const [incident, ...others] = await list("?state=open");
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    kind: "outage",
    facilityId: place.facilityId,
    facilityName: "North Works",
    serialNumber: null,
    nodeCount: 200,
    openNodeCount: 200,
    occurrenceCount: 200,
    calmTimestamp: null,
    endedTimestamp: null,
    heldCount: 0,
    isMuted: false,
  });
  expect((await find(incident!.id)).messages).toMatchObject([{ subject: expect.stringContaining("Connectivity lost: 200 nodes") }]);
  expect((await find(incident!.id)).members).toHaveLength(200);

  // Those that are not over come first.
  await connect(nodes[0]!, true);
  await runFor(30);
  const { members } = await find(incident!.id);
  expect([members[0]!.serialNumber, members.at(-1)!.serialNumber]).toEqual([nodes[1], nodes[0]].map(String));

  for (const node of nodes) await connect(node, true);
  await runFor(30);
  expect(await list()).toMatchObject([{ openNodeCount: 0, calmTimestamp: expect.any(Number), endedTimestamp: null }]);
  await runFor(960);
  expect(await list("?state=ended")).toMatchObject([{ id: incident!.id, nodeCount: 200, endedTimestamp: expect.any(Number) }]);
  expect(await list("?state=open")).toEqual([]);
});

test("a loss that passes is no incident; a link that flaps is one, however often it drops", async () => {
  const [node] = await addWell();
  await run();
  await connect(node!, false);
  await runFor(60);
  await connect(node!, true);
  await runFor(240);
  expect(await list()).toEqual([]);
  for (let round = 0; round < 6; round++) {
    await connect(node!, false);
    await runFor(180);
    await connect(node!, true);
    await runFor(120);
  }
  await runFor(700);
  expect(await list()).toMatchObject([{ kind: "link", serialNumber: String(node), occurrenceCount: 6, openNodeCount: 0 }]);
  expect(await list(`?serial=${node}&kind=link&facility=${place.facilityId}`)).toHaveLength(1);
  expect(await list("?serial=99999")).toEqual([]);
});

test("one alarm that comes and goes is one incident with the messages that it made; a restart makes no second one", async () => {
  const [node] = await addWell();
  await run();
  const begin = server.clock.now() / 1_000;
  for (let round = 0; round < 3; round++) {
    await raise(node!, "overVoltage", server.clock.now() / 1_000);
    await runFor(60);
    await clear(node!, server.clock.now() / 1_000);
    await runFor(60);
    services = newServices();
  }
  await run();
  const [incident, ...others] = await list();
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    kind: "alarm",
    alarmKind: "overVoltage",
    serialNumber: String(node),
    occurrenceCount: 3,
    openNodeCount: 0,
  });
  expect(incident?.beganTimestamp).toBe(Math.floor(begin));
  expect((await find(incident!.id)).messages).toHaveLength(3);
  await runFor(1_000);
  await raise(node!, "overVoltage", server.clock.now() / 1_000);
  await run();
  expect((await list()).map(({ occurrenceCount, endedTimestamp }) => [occurrenceCount, endedTimestamp === null])).toEqual([
    [1, true],
    [3, false],
  ]);
});

test("a disturbance that all nodes of a facility see is one incident; a node that is deleted does not hold it open", async () => {
  const nodes = await addWell(5);
  await run();
  for (const node of nodes) await raise(node, "voltageSag", server.clock.now() / 1_000);
  await raise(nodes[0]!, "overVoltage", server.clock.now() / 1_000);
  await run();
  expect((await list()).map(({ alarmKind, nodeCount }) => `${alarmKind} ${nodeCount}`).toSorted()).toEqual([
    "overVoltage 1",
    "voltageSag 5",
  ]);
  await server.database.pool.query("delete from node where serial_number = $1", [nodes[0]]);
  await runFor(1_000);
  expect(await list("?state=open")).toEqual([]);
});

test("an absence of the platform ends no incident and begins none", async () => {
  const [lost] = await addWell(2);
  await run();
  await connect(lost!, false);
  await runFor(300);
  expect(await list("?state=open")).toHaveLength(1);
  const { pool } = server.database;
  await pool.query("insert into ingest_presence (started_at, alive_at) values (to_timestamp($1), to_timestamp($2))", [
    server.clock.now() / 1_000 - 7_200,
    server.clock.now() / 1_000 - 120,
  ]);
  await runFor(120);
  expect(await list("?state=open")).toMatchObject([{ openNodeCount: 1 }]);
  await pool.query("delete from ingest_presence");
});

test("people take an incident, acknowledge it and note what they did; who comes second is refused, and all is recorded", async () => {
  const [node] = await addWell();
  await raise(node!, "overVoltage", server.clock.now() / 1_000);
  await run();
  const [{ id, revision }] = (await list("?state=new")) as [Incident];
  const bob = await server.login("bob");
  expect(await send("PATCH", `/${id}`, { owner: "ann", isAcknowledged: true, revision })).toMatchObject({ status: 200 });
  expect(await send("PATCH", `/${id}`, { owner: "bob", revision }, bob)).toMatchObject({
    status: 409,
    json: { errorMessage: "ann changed owner of this incident meanwhile. Load it again and repeat your change" },
  });
  const note = `Called the site.\n${"x".repeat(1_900)}`;
  expect(await send("POST", `/${id}/notes`, { note }, bob)).toMatchObject({ status: 200 });
  expect(await find(id)).toMatchObject({
    incident: { owner: "ann", acknowledgedBy: "ann", acknowledgedTimestamp: expect.any(Number), noteCount: 1, revision: revision + 1 },
    notes: [{ author: "bob", note }],
  });
  expect(await list("?state=new")).toEqual([]);
  expect(await list("?owner=ann")).toHaveLength(1);
  expect(await list("?owner=bob")).toEqual([]);
  // One that is open goes on: it is in every range after its begin.
  const ids = async (query: string) => (await list(query)).map((each) => each.id);
  const now = Math.floor(server.clock.now() / 1_000);
  expect([await ids(`?from=${now + 60}`), await ids(`?to=${now - 3_600}`)].map((each) => each.includes(id))).toEqual([true, false]);
  const { json } = await server.call({ method: "GET", url: `/api/changes?object=incident/${id}`, token });
  expect(json["data"]).toMatchObject([
    { action: "POST_INCIDENT_NOTE", actor: "bob" },
    { action: "PATCH_INCIDENT", actor: "ann", before: { owner: "", isAcknowledged: false }, after: { owner: "ann", isAcknowledged: true } },
  ]);
});

test("an incident holds 100 notes; of one with more from before the newest are listed", async () => {
  const [node] = await addWell();
  await raise(node!, "overVoltage", server.clock.now() / 1_000);
  await run();
  const [{ id }] = (await list()) as [Incident];
  const addNotes = (count: number) =>
    server.database.pool.query("insert into incident_note (incident_id, at, note) select $1, now(), n from generate_series(1, $2::int) n", [
      id,
      count,
    ]);
  await addNotes(99);
  expect(await send("POST", `/${id}/notes`, { note: "the last" })).toMatchObject({ status: 200 });
  expect(await send("POST", `/${id}/notes`, { note: "one more" })).toMatchObject({
    status: 409,
    json: { errorMessage: "This incident has reached its limit of 100: it takes no more notes" },
  });
  await addNotes(5);
  const { incident, notes } = await find(id);
  expect([incident.noteCount, notes.length, notes[0]?.note, notes.at(-1)?.note]).toEqual([105, 100, "6", "5"]);
});

test("messages are counted once, however many nodes they are about: all on the page, the first 100 in the list", async () => {
  const nodes = await addWell(5);
  for (const node of nodes) await raise(node, "voltageSag", server.clock.now() / 1_000);
  await run();
  const { pool } = server.database;
  await pool.query("delete from notification");
  const addMessages = (count: number, secondsAgo = 0) =>
    pool.query(
      `with made as (insert into notification (kind, subject, body, message_id, sent_at)
         select 'x', 'x', 'x', gen_random_uuid()::text, now() from generate_series(1, $1::int) returning id)
       insert into notification_subject (notification_id, serial_number, topic, at)
       select made.id, node, 'voltageSag', to_timestamp($3) from made, unnest($2::int4[]) node`,
      [count, nodes, server.clock.now() / 1_000 - secondsAgo],
    );
  // About what was before it began.
  await addMessages(1, 3_600);
  await addMessages(60);
  await pool.query("update notification set sent_at = null where id = (select max(id) from notification)");
  const [{ id }] = (await list()) as [Incident];
  expect(await list()).toMatchObject([{ sentCount: 59, heldCount: 1 }]);
  await addMessages(60);
  const [{ sentCount, heldCount }] = (await list()) as [Incident];
  expect(sentCount + heldCount).toBe(100);
  expect((await find(id)).incident).toMatchObject({ sentCount: 119, heldCount: 1 });
});

test("what is not possible is refused, and a demo user reads no name", async () => {
  const [node] = await addWell();
  await raise(node!, "overVoltage", server.clock.now() / 1_000);
  await run();
  const [{ id }] = (await list()) as [Incident];
  expect(await server.call({ method: "GET", url: "/api/incidents" })).toMatchObject({ status: 401 });
  for (const [method, url, payload, status] of [
    ["GET", "/2147483647", undefined, 404],
    ["GET", "/x", undefined, 400],
    ["GET", "?state=gone", undefined, 400],
    ["GET", "?serial=1", undefined, 400],
    ["GET", "?from=1790000001&to=1790000000", undefined, 400],
    ["PATCH", "/2147483647", { owner: "ann" }, 404],
    ["PATCH", `/${id}`, { owner: `customer${place.facilityId}` }, 400],
    ["PATCH", `/${id}`, { kind: "link" }, 400],
    ["POST", `/${id}/notes`, { note: " \n" }, 400],
    ["POST", `/${id}/notes`, { note: "x".repeat(2_001) }, 400],
    ["POST", "/2147483647/notes", { note: "x" }, 404],
  ] as const)
    expect([url, payload, (await send(method, url, payload)).status]).toEqual([url, payload, status]);
  await send("PATCH", `/${id}`, { owner: "ann" });
  await server.addAdministrator(`demo${id}`);
  await server.database.pool.query("update app_user set demo_user = true where username = $1", [`demo${id}`]);
  const demo = await server.login(`demo${id}`);
  expect(await send("PATCH", `/${id}`, { owner: "bob" }, demo)).toMatchObject({ status: 403 });
  // Nor does one look after it, nor who is suspended.
  await server.addAdministrator(`away${id}`);
  await server.database.pool.query("update app_user set active_status = 'SUSPENDED' where username = $1", [`away${id}`]);
  for (const owner of [`demo${id}`, `away${id}`])
    expect(await send("PATCH", `/${id}`, { owner })).toMatchObject({
      status: 400,
      json: { errorMessage: "owner: is no one of the staff who may sign in" },
    });
  expect((await send("GET", "/people")).json["data"]).toEqual([{ username: "ann" }, { username: "bob" }]);
  const shown = (await send("GET", "", undefined, demo)).json["data"] as Incident[];
  expect(shown).toMatchObject([{ kind: "alarm", alarmKind: "overVoltage", owner: expect.stringMatching(/^person[a-z]+$/) }]);
  expect((await send("GET", `?owner=${shown[0]!.owner}`, undefined, demo)).json["data"]).toHaveLength(1);
  expect((await send("GET", "?owner=ann", undefined, demo)).json["data"]).toEqual([]);
});

test("a member of an incident that goes on is over where its own alarm of that kind has ended", async () => {
  const { pool } = server.database;
  const store = createIncidentFollowedStore(pool);
  await pool.query("delete from incident");
  const nodes = [1, 2, 3, 4].map(() => ++serial);
  for (const node of nodes) await addNode(pool, node);
  const [open, ended, other, left] = nodes;
  const add = async (
    cause: string,
    kind: string,
    alarmKind: string,
    members: readonly (number | undefined)[],
    endedAt: Date | null = null,
  ) => {
    const { rows } = await pool.query<{ id: number }>(
      "insert into incident (cause, kind, alarm_kind, began_at, ended_at) values ($1, $2, $3, now(), $4) returning id",
      [cause, kind, alarmKind, endedAt],
    );
    await pool.query(
      "insert into incident_member (incident_id, serial_number, began_at, last_began_at, ended_at, count) select $1, s, to_timestamp(5), to_timestamp(9), case when s = $3 then now() end, 1 from unnest($2::int4[]) s",
      [rows[0]!.id, members, left],
    );
  };
  await add("a", "alarm", "overVoltage", nodes);
  await add("b", "link", "", [ended]);
  await add("c", "alarm", "overVoltage", [open], new Date());
  await pool.query(
    `insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values ($1, 'overVoltage', now(), null, 1),
       ($2, 'overVoltage', now(), now(), 1), ($3, 'underVoltage', now(), null, 1)`,
    [open, ended, other],
  );
  const members = (await store.open()).map(({ cause, serial: node, beganAt, isOver }) => [cause.key, node, beganAt, isOver]);
  expect(members.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ["a", open, 9, false],
    ["a", ended, 9, true],
    ["a", other, 9, true],
    ["b", ended, 9, false],
  ]);
  await pool.query("delete from incident");
});

test("what a transaction changes is followed after its end, however long it ran beside others", async () => {
  const { pool } = server.database;
  const store = createIncidentFollowedStore(pool);
  const [slow, quick] = [++serial, ++serial];
  await addNode(pool, slow, place);
  await addNode(pool, quick);
  const change = async (client: PoolClient, node: number) => {
    await writeVerdicts(client, [
      { serial: node, verdict: { kind: "away", gravity: "act", sentence: "", since: undefined, evidence: [] } },
    ]);
    await client.query("insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'overVoltage', to_timestamp(5), 1)", [
      node,
    ]);
  };
  let { xid } = await store.watermark();
  /** Whose verdicts and alarms changed since the last time. */
  const follow = async () => {
    const since = xid;
    xid = (await store.watermark()).xid;
    const [verdicts, alarms] = [await store.verdicts(since), await store.alarms(since, 0)];
    return [verdicts, alarms].map((rows) => rows.map((row) => row.serial));
  };
  const client = await pool.connect();
  await client.query("begin");
  await change(client, slow);
  expect(await follow()).toEqual([[], []]);
  await inTransaction(pool, (other) => change(other, quick));
  expect(await follow()).toEqual([[quick], [quick]]);
  await client.query("commit");
  client.release();
  expect((await follow()).map((serials) => serials.includes(slow))).toEqual([true, true]);
  await follow();
  expect(await follow()).toEqual([[], []]);
});
