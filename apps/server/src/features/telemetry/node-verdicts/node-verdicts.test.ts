import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { maxPastVerdicts, type getNodeVerdict } from "@busbar/contract/telemetry/node-verdicts.ts";
import type { CallOutput } from "@busbar/contract/endpoint.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Task } from "#services/service.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { inTransaction } from "#db/transaction.ts";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";
import { createNodeSignalsStore } from "./node-signals.store.ts";
import { createNodeVerdicts } from "./node-verdicts.task.ts";

type Judged = CallOutput<typeof getNodeVerdict>;

let server: TestApp;
let token: string;
let task: Task;
let serial = 20_000;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
  task = createNodeVerdicts({ pool: server.database.pool, store: createNodeSignalsStore(server.database.pool), clock: server.clock });
});
afterAll(() => server.stop());
beforeEach(() => {
  serial += 100;
});

const secondsAgo = (seconds: number) => new Date(server.clock.now() - seconds * 1_000);
const isConnected = (since = 3_600) => ({ is_connected: true, connection_changed_at: secondsAgo(since), last_scalar_at: secondsAgo(1) });
const isAway = (since: number, columns = {}) => ({ is_connected: false, connection_changed_at: secondsAgo(since), ...columns });

/** A deployed node that sends. */
async function addWell(columns: Record<string, unknown> = {}, place?: Awaited<ReturnType<typeof addPlace>>): Promise<number> {
  const { pool } = server.database;
  await addNode(pool, ++serial, place ?? (await addPlace(pool)), {
    current_deployment_status: "Deployed",
    new_deployment_status: "Deployed",
    ...columns,
  });
  await setLive(pool, serial, isConnected());
  return serial;
}

/** Connections of the node that ended so many seconds ago. */
async function addDeaths(node: number, ...ago: readonly number[]): Promise<void> {
  const { pool } = server.database;
  const deaths = ago.map((seconds) => ({ serial: node, action: "NODE_DEATH", description: "", atMs: +secondsAgo(seconds) }) as const);
  await inTransaction(pool, (client) => createConnectivityStore(pool).writeActivities(client, deaths));
}

const run = () => task.run(new AbortController().signal);
/** After so long, during which the node sends or stays away. */
async function runAfter(seconds: number, node: number, columns: Record<string, unknown> = {}): Promise<Judged> {
  for (let left = seconds; left > 0; left -= 30) {
    server.clock.advance(Math.min(30, left));
    if (Object.keys(columns).length === 0) await setLive(server.database.pool, node, { last_scalar_at: secondsAgo(0) });
    else await setLive(server.database.pool, node, columns);
    await run();
  }
  return judged(node);
}

async function judged(node: number, as = token): Promise<Judged> {
  const { status, json } = await server.call({ method: "GET", url: `/api/nodes/${node}/verdict`, token: as });
  expect(status).toBe(200);
  return json["data"] as Judged;
}
const activitiesOf = async (node: number) =>
  (
    await server.database.pool.query<{ description: string; before: { kind: string }; after: { kind: string } }>(
      "select description, before, after from activity where action = 'NODE_VERDICT_CHANGED' and object = $1 order by id",
      [`node/${node}`],
    )
  ).rows.map(({ before, after }) => `${before.kind} > ${after.kind}`);

test("a node that is lost is away in the next run, for the dashboard too; what lasts is remembered and reported once", async () => {
  const node = await addWell();
  await run();
  expect(await judged(node)).toMatchObject({
    verdict: { kind: "fine", gravity: "fine", since: null },
    evidence: [],
    history: [{ kind: "fine" }],
  });

  server.clock.advance(5);
  await setLive(server.database.pool, node, isAway(0, { disconnect_reason: "no-answer" }));
  await run();
  await server.context.fleet.runTick();
  const { json } = await server.call({ method: "GET", url: "/api/node-dashboard", token });
  const { verdict } = (json["data"] as NodeDashboard).dashboardNodeMap[String(node)]!;
  expect(verdict).toEqual({
    kind: "away",
    gravity: "act",
    sentence: expect.stringMatching(/^It was silent and gave no answer when asked, away since \d\d:\d\d C[DS]T\.$/),
    since: Math.floor(server.clock.now() / 1_000),
  });
  expect(await judged(node)).toMatchObject({
    verdict,
    evidence: [{ kind: "away", since: verdict?.since }],
    history: [{ kind: "fine", endedAt: null }],
  });

  const lost = await runAfter(130, node, { is_connected: false });
  expect(lost.history).toMatchObject([
    { kind: "away", gravity: "act", sentence: verdict?.sentence, endedAt: null },
    { kind: "fine", endedAt: lost.history[0]?.beganAt },
  ]);
  await setLive(server.database.pool, node, isConnected(0));
  await runAfter(200, node);
  expect(await activitiesOf(node)).toEqual(["fine > away", "away > fine"]);
});

test("what lasts is remembered when it has lasted, also while nothing else changes", async () => {
  const node = await addWell();
  await run();
  server.clock.advance(5);
  await setLive(server.database.pool, node, isAway(0));
  await run();
  const kinds = async (seconds: number) => {
    server.clock.advance(seconds);
    await run();
    return (await judged(node)).history.map(({ kind }) => kind);
  };
  expect([await kinds(55), await kinds(55), await kinds(9), await kinds(1)]).toEqual([["fine"], ["fine"], ["fine"], ["away", "fine"]]);
});

test("a link that flaps is shown at once, and floods neither the history nor the feed", async () => {
  const node = await addWell();
  await run();
  for (let minute = 0; minute < 30; minute++) {
    server.clock.advance(60);
    await setLive(server.database.pool, node, minute % 2 === 0 ? isAway(0) : isConnected(0));
    await run();
    expect((await judged(node)).verdict?.kind).toBe(minute % 2 === 0 ? "away" : "fine");
  }
  expect((await judged(node)).history).toHaveLength(1);
  expect(await activitiesOf(node)).toEqual([]);
});

test("drops, refused tries, bad messages, alarms, failed files and other settings are found", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Los_Angeles");
  const node = await addWell({ new_deployment_status: "Unassigned" }, place);
  const now = server.clock.now() / 1_000;
  await pool.query(
    "insert into activity (ts, actor_type, actor, action, description) select to_timestamp($2::float8 - 60 * n), 'Node', $1, 'NODE_DEATH', '' from generate_series(1, 4) n",
    [String(node), now],
  );
  await pool.query("insert into quarantine values ($1, 'bad-seq', 3, to_timestamp($2), to_timestamp($2), '', '')", [node, now - 5]);
  await pool.query("insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'underVoltage', to_timestamp($2), 10)", [
    node,
    now - 60,
  ]);
  await pool.query(
    `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed, failed_reason, extracted_at)
     values ($1, to_timestamp($2), 'D', 'x', 900, '', '', 0, false, to_timestamp($2), 'node', false, 'line 3', to_timestamp($2))`,
    [node, now - 90],
  );
  await pool.query("insert into node_config values ($1, to_timestamp($2), $3)", [node, now, { i_noise: "2", np_hp: "40.0", np_sf: "1" }]);
  await pool.query(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
     select 'ann', $1, '', 'UTC', k, '', v, r from (values ('i_noise', '2', 'confirmed'), ('i_noise', '16', 'confirmed'), ('i_noise', '3', 'refused'),
       ('np_hp', '40', 'confirmed'), ('np_sf', '1.15', 'unanswered')) x (k, v, r)`,
    [node],
  );
  server.clock.advance(61);
  await setLive(pool, node, { last_scalar_at: secondsAgo(0) });
  await run();
  const { verdict, evidence } = await judged(node);
  expect(verdict).toMatchObject({ kind: "alarm", since: Math.floor(now - 60) });
  expect(evidence.map(({ kind, detail }) => [kind, detail])).toEqual([
    ["alarm", ""],
    ["unstable", ""],
    ["quarantine", "bad-seq: 3"],
    ["config", "i_noise: 2 at the node, 16 was confirmed"],
    ["unstable", ""],
    ["extraction", "line 3"],
    ["pending", ""],
  ]);

  await pool.query("update alarm set cleared_at = now(), changed_xid = pg_current_xact_id() where serial_number = $1", [node]);
  await pool.query("insert into node_refusal values ($1, 'credentials', 4, to_timestamp($2))", [node, server.clock.now() / 1_000]);
  await setLive(pool, node, isAway(20));
  await run();
  const after = await judged(node);
  expect(after.verdict).toMatchObject({ kind: "refused", sentence: expect.stringContaining("a wrong secret") });
  expect(after.evidence.map(({ kind }) => kind)).not.toContain("alarm");
});

test("several nodes of a facility that are lost within two minutes are one outage; one that leaves or comes back is no part of it", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  const nodes: number[] = [];
  for (let count = 0; count < 3; count++) {
    const { rows } = await pool.query<{ id: number }>(
      "insert into location (facility_id, name, timezone) values ($1, $2, 'America/Chicago') returning id",
      [place.facilityId, `Pump ${count + 2}`],
    );
    nodes.push(await addWell({}, { ...place, locationId: rows[0]!.id }));
  }
  const [first, second, third] = nodes as [number, number, number];
  await setLive(pool, first, isAway(30));
  await setLive(pool, second, isAway(0));
  await run();
  expect((await judged(first)).verdict?.sentence).toContain("Outage of the facility: 2 of 3 nodes lost within two minutes, away since");
  expect((await judged(second)).verdict?.kind).toBe("outage");
  expect((await judged(third)).verdict?.kind).toBe("fine");
  await setLive(pool, third, isAway(0));
  await run();
  expect((await judged(third)).verdict?.kind).toBe("outage");
  await pool.query("delete from node_assignment where serial_number = $1", [third]);
  await run();
  expect([(await judged(first)).verdict?.kind, (await judged(third)).verdict?.kind]).toEqual(["outage", "away"]);
  await setLive(pool, second, isConnected(0));
  await run();
  expect((await judged(first)).verdict?.kind).toBe("away");
  // When the broker began anew those that it had to end were not lost together.
  for (const node of [first, second]) await setLive(pool, node, isAway(0, { disconnect_reason: "restart" }));
  await run();
  expect([(await judged(first)).verdict?.kind, (await judged(second)).verdict?.kind]).not.toContain("outage");
});

test("a pause and a new status count from the next run on, and time alone makes a silent node late", async () => {
  const { pool } = server.database;
  const node = await addWell();
  await setLive(pool, node, isAway(10));
  await run();
  await pool.query("update node set pause_connectivity_notifications = true where serial_number = $1", [node]);
  await run();
  expect((await judged(node)).verdict).toMatchObject({ kind: "paused", gravity: "note" });
  await pool.query("update node set current_deployment_status = 'Decommissioned' where serial_number = $1", [node]);
  await run();
  expect((await judged(node)).verdict).toMatchObject({ kind: "retired", gravity: "note", sentence: "Decommissioned." });

  const silent = await addWell();
  await run();
  server.clock.advance(28);
  await run();
  expect((await judged(silent)).verdict?.kind).toBe("fine");
  server.clock.advance(2);
  await run();
  expect((await judged(silent)).verdict).toMatchObject({ kind: "late", gravity: "look" });
});

test("A-19 while the platform itself is away nothing is known, no one is dead, and no one is said to have changed", async () => {
  const { pool } = server.database;
  const node = await addWell();
  await addDeaths(node, 400);
  await run();
  server.clock.advance(10);
  await run();
  server.clock.advance(5);
  await pool.query("insert into ingest_presence (started_at, alive_at) values ($1, $2)", [secondsAgo(3_600), secondsAgo(300)]);
  await setLive(pool, node, isAway(290));
  await addDeaths(node, 290);
  await run();
  expect((await judged(node)).verdict).toMatchObject({
    kind: "unknown",
    gravity: "note",
    sentence: expect.stringContaining("the platform has not listened since"),
  });
  await runAfter(150, node, { is_connected: false });
  await pool.query("insert into ingest_presence (started_at, alive_at) values ($1, $2)", [secondsAgo(0), secondsAgo(-7_200)]);
  await run();
  expect((await judged(node)).verdict?.sentence).toContain("nodes are on their way back");
  await setLive(pool, node, isConnected(0));
  const { history } = await runAfter(180, node);
  expect(history.map(({ kind }) => kind)).toEqual(["fine", "unknown", "fine"]);
  // The other one ended with the platform.
  expect((await judged(node)).evidence).toMatchObject([{ sentence: "Connections that ended in the last day: 1." }]);
  expect(await activitiesOf(node)).toEqual([]);
  await pool.query("delete from ingest_presence");
});

test("another process that goes on finds what was judged, and writes nothing again", async () => {
  const node = await addWell();
  await run();
  const xidOf = async () =>
    (
      await server.database.pool.query<{ xid: string }>("select changed_xid::text as xid from node_verdict where serial_number = $1", [
        node,
      ])
    ).rows[0]!.xid;
  const [before, { history }] = [await xidOf(), await judged(node)];
  const other = createNodeVerdicts({
    pool: server.database.pool,
    store: createNodeSignalsStore(server.database.pool),
    clock: server.clock,
  });
  await other.run(new AbortController().signal);
  expect([await xidOf(), (await judged(node)).history]).toEqual([before, history]);
});

test("what another process wrote meanwhile is not taken for one's own", async () => {
  const { pool } = server.database;
  const ownRuns = async (runner: Task) => {
    await runner.run(new AbortController().signal);
    await pool.query("update service set run_count = run_count + 1 where name = 'NodeVerdicts'");
  };
  await pool.query("insert into service (name, interval_seconds, next_run_at) values ('NodeVerdicts', 5, now()) on conflict do nothing");
  const [one, other] = [1, 2].map(() => createNodeVerdicts({ pool, store: createNodeSignalsStore(pool), clock: server.clock })) as [
    Task,
    Task,
  ];
  const node = await addWell();
  await ownRuns(one);
  await setLive(pool, node, isAway(0));
  await ownRuns(other);
  expect((await judged(node)).verdict?.kind).toBe("away");
  await setLive(pool, node, isConnected(0));
  await ownRuns(one);
  expect((await judged(node)).verdict?.kind).toBe("fine");
  await pool.query("delete from service where name = 'NodeVerdicts'");
});

test("A-17 a demo user reads what is wrong, but no word of nodes or people", async () => {
  const { pool } = server.database;
  const node = await addWell();
  await pool.query("insert into node_config values ($1, to_timestamp($2), $3)", [
    node,
    server.clock.now() / 1_000,
    { Motor: "Alder's fan" },
  ]);
  await pool.query(
    "insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result) values ('ann', $1, '', 'UTC', 'Motor', '', 'Fan 1', 'confirmed')",
    [node],
  );
  server.clock.advance(61);
  await setLive(pool, node, { last_scalar_at: secondsAgo(0) });
  await run();
  await server.addAdministrator("show");
  await pool.query("update app_user set demo_user = true where username = 'show'");
  const shown = await judged(node, await server.login("show"));
  expect(shown.verdict?.sentence).toBe("Motor at the node is not what it confirmed.");
  expect(shown.evidence).toMatchObject([{ kind: "config", gravity: "look", detail: "hidden from demo users" }]);
  expect(shown.history[0]?.sentence).not.toContain("hidden");
  expect((await judged(node)).evidence[0]?.detail).toContain("Alder's fan");
});

test("who is not signed in reads no verdict, and there is none of a node that is none", async () => {
  expect((await server.call({ method: "GET", url: "/api/nodes/20101/verdict" })).status).toBe(401);
  expect((await server.call({ method: "GET", url: "/api/nodes/99999/verdict", token })).status).toBe(404);
  await addNode(server.database.pool, ++serial);
  expect(await judged(serial)).toEqual({ verdict: null, evidence: [], history: [] });
});

test("a sub node is judged with its parent: when that is lost, and when it is back", async () => {
  const parent = await addWell();
  const child = await addWell({ type: "subNode", parent_serial_number: parent });
  const { pool } = server.database;
  await setLive(pool, child, isAway(600));
  await run();
  expect((await judged(child)).verdict!.sentence).not.toContain("parent");
  await setLive(pool, parent, isAway(1));
  await run();
  expect((await judged(child)).verdict!.sentence).toContain(`Away with its parent node ${parent}`);
  await setLive(pool, parent, isConnected(0));
  await run();
  expect((await judged(child)).verdict!.sentence).not.toContain("parent");
});

test("what is read of nodes is their own, and of after a moment", async () => {
  const { pool } = server.database;
  const store = createNodeSignalsStore(pool);
  const own = await addWell();
  const { rows: places } = await pool.query<TestPlace>(
    `select f.customer_id as "customerId", f.id as "facilityId", l.id as "locationId" from node_assignment a join location l on l.id = a.location_id
     join facility f on f.id = l.facility_id where a.serial_number = $1`,
    [own],
  );
  const [other, third] = [await addWell(), await addWell()];
  const from = Date.UTC(2021, 0, 1) / 1000;
  const ofThese = <Row extends { serial: number }>(rows: readonly Row[]) =>
    rows.filter((row) => [own, other, third].includes(row.serial)).toSorted((a, b) => a.serial - b.serial);

  const different = {
    scalar_interval_seconds: 20,
    data_point_interval_seconds: 600,
    pause_notifications: true,
    new_deployment_status: "Unassigned",
  };
  await pool.query(
    `update node set ${Object.keys(different)
      .map((name, index) => `${name} = $${index + 2}`)
      .join(", ")} where serial_number = $1`,
    [own, ...Object.values(different)],
  );
  expect(ofThese(await store.settings())[0]).toEqual({
    serial: own,
    type: "Node",
    timezone: "America/Chicago",
    facilityId: places[0]!.facilityId,
    parentSerial: null,
    status: "Deployed",
    nextStatus: "Unassigned",
    isMonitored: true,
    isPaused: true,
    isConnectivityPaused: false,
    mutedUntil: null,
    scalarIntervalSeconds: 20,
    dataIntervalSeconds: 600,
  });

  const present = Math.floor(Date.now() / 1000);
  const mute = (column: string, id: number, seconds: number) =>
    pool.query(
      `insert into mute (${column}, from_at, until_at, reason, username) values ($1, to_timestamp($2), to_timestamp($3), '', '')`,
      [id, present - 9 * 86_400, present + seconds],
    );
  const mutedUntil = async () => ofThese(await store.settings()).map((row) => row.mutedUntil && row.mutedUntil - present);
  for (const seconds of [7_000, 5_000]) await mute("serial_number", own, seconds);
  await mute("serial_number", other, -2 * 86_400);
  await mute("serial_number", third, -3_600);
  expect(await mutedUntil()).toEqual([7_000, null, -3_600]);
  for (const seconds of [9_000, 8_000]) await mute("facility_id", places[0]!.facilityId, seconds);
  expect(await mutedUntil()).toEqual([9_000, null, -3_600]);
  for (const seconds of [11_000, 10_000]) await mute("location_id", places[0]!.locationId, seconds);
  expect(await mutedUntil()).toEqual([11_000, null, -3_600]);
  await mute("facility_id", (await addPlace(pool)).facilityId, 20_000);
  await pool.query("update mute set until_at = now() - interval '2 days' where serial_number is null");
  expect(await mutedUntil()).toEqual([7_000, null, -3_600]);

  await pool.query(
    `insert into activity (ts, actor_type, actor, action, description) select to_timestamp($3::float8 + t), y, s, a, '' from
       (values ('Node', $1, 'NODE_DEATH', 0), ('Node', $1, 'NODE_DEATH', 1), ('Node', $1, 'NODE_DEATH', 3), ('Node', $1, 'NODE_DEATH', 2),
         ('User', $1, 'NODE_DEATH', 4), ('Node', $1, 'NODE_BIRTH', 5), ('Node', $2, 'NODE_DEATH', 6)) v (y, s, a, t)`,
    [String(own), String(other), from],
  );
  expect(ofThese(await store.drops(from))).toEqual([
    { serial: own, times: [from + 3, from + 2, from + 1] },
    { serial: other, times: [from + 6] },
  ]);
  await pool.query(
    "insert into quarantine select s, 'bad-seq', n, to_timestamp($3), to_timestamp($3::float8 + n), '', '' from unnest(array[$1::int4, $2]) with ordinality u (s, n)",
    [other, own, from - 1],
  );
  await pool.query(
    "insert into node_refusal select s, 'credentials', n, to_timestamp($3::float8 + n) from unnest(array[$1::int4, $2]) with ordinality u (s, n)",
    [other, own, from - 1],
  );
  expect(ofThese(await store.quarantine(from))).toEqual([{ serial: own, reason: "bad-seq", count: 2, lastAt: from + 1 }]);
  expect(ofThese(await store.refusals(from))).toEqual([{ serial: own, reason: "credentials", count: 2, lastAt: from + 1 }]);

  const before = await store.alarmsMark();
  const alarm = (kind: string, clearedAt: number | null) =>
    pool.query(
      "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values ($1, $2, to_timestamp($3), to_timestamp($4), 10)",
      [own, kind, from, clearedAt],
    );
  await alarm("overVoltage", from + 1);
  expect(await store.alarmsMark()).toBe(before);
  await alarm("underVoltage", null);
  expect(await store.alarmsMark()).not.toBe(before);

  await pool.query(
    `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed, failed_reason, extracted_at)
     select s, to_timestamp($3 + 900 * n), 'D', n, 900, '', '', 0, false, to_timestamp($3), 'node', p, 'reason ' || n, to_timestamp($3 + e) from
       (values (1, $1::int4, false, 0), (2, $1, false, 2), (3, $1, false, 1), (4, $1, true, 3), (5, $2, null, 4), (6, $2, true, 5)) v (n, s, p, e)`,
    [own, other, from],
  );
  expect(ofThese(await store.failedFiles(from))).toEqual([{ serial: own, count: 2, since: from + 1, reason: "reason 2" }]);

  for (const [node, at] of [
    [own, 1],
    [other, 0],
    [third, 2],
  ] as const)
    await pool.query("insert into node_config values ($1, to_timestamp($2), $3)", [node, from + at, { a: "1", b: "2" }]);
  await pool.query(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
     select 'ann', s, '', 'UTC', k, '', v, r from (values (1, $1::int4, 'a', '7', 'unchanged'), (2, $1, 'b', '5', 'confirmed'), (3, $1, 'b', '2', 'confirmed'),
       (4, $1, 'gone', '3', 'confirmed'), (5, $2, 'a', '8', 'confirmed'), (6, $3, 'a', '1', 'confirmed')) x (n, s, k, v, r) order by n`,
    [own, other, third],
  );
  expect(ofThese(await store.changedConfigurations(from))).toEqual([
    { serial: own, values: [{ key: "a", actual: "1", confirmed: "7" }] },
    { serial: third, values: null },
  ]);
});

test("A-63 of a node's past verdicts the newest are shown, each until the one after it", async () => {
  const { pool } = server.database;
  const node = await addWell();
  await pool.query(
    `insert into node_verdict_history (serial_number, began_at, kind, gravity, sentence)
     select $1, to_timestamp($2) - n * interval '1 hour', 'fine', 'fine', 'sentence ' || n from generate_series(0, $3 + 4) n`,
    [node, Math.floor(server.clock.now() / 1_000), maxPastVerdicts],
  );
  const { history } = await judged(node);
  expect([history.length, history[0], history.at(-1)?.sentence]).toEqual([
    maxPastVerdicts,
    expect.objectContaining({ sentence: "sentence 0", endedAt: null }),
    `sentence ${maxPastVerdicts - 1}`,
  ]);
  expect(history.slice(1).map(({ endedAt }) => endedAt)).toEqual(history.slice(0, -1).map(({ beganAt }) => beganAt));
});
