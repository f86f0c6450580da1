import type { Mute } from "@busbar/contract/alarms/mutes.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createConnectivityMonitor } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import { createNodeClockMonitor } from "#features/alarms/fleet-notices/node-clock-monitor.task.ts";
import { createNodeSignalsStore } from "#features/telemetry/node-verdicts/node-signals.store.ts";
import { createNodeVerdicts } from "#features/telemetry/node-verdicts/node-verdicts.task.ts";
import type { Task } from "#services/service.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let tokens: { ann: string; bob: string; demo: string };
let tasks: Task[];
let place: TestPlace;
let serial = 36_000;
beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("ann");
  await server.addAdministrator("bob");
  await server.addAdministrator("demo");
  await server.database.pool.query("update app_user set demo_user = true where username = 'demo'");
  const { pool } = server.database;
  const { clock, context } = server;
  const dependencies = { ...context.fleetNotices, internalRecipients: () => Promise.resolve(["desk@busbar.example"]) };
  tasks = [
    createNodeVerdicts({ pool, store: createNodeSignalsStore(pool), clock }),
    createConnectivityMonitor(dependencies),
    createNodeClockMonitor(dependencies),
  ];
});
afterAll(() => server.stop());
async function signIn(): Promise<void> {
  tokens = { ann: await server.login("ann"), bob: await server.login("bob"), demo: await server.login("demo") };
}
beforeEach(async () => {
  await signIn();
  const { pool } = server.database;
  await pool.query("delete from notification; delete from notice_told; delete from mute; delete from node; delete from connection_loss");
  place = await addPlace(pool);
  await addNode(pool, ++serial, place, { current_deployment_status: "Deployed", new_deployment_status: "Deployed" });
  await server.addUser(`customer${serial}`, place.customerId, { auto_subscribe_all_facilities: true });
});

const now = () => Math.floor(server.clock.now() / 1000);
const send = (method: "GET" | "POST" | "DELETE", url: string, payload?: object, token = tokens.ann) =>
  server.call({ method, url: `/api${url}`, token, ...(payload ? { payload } : {}) });
const mute = (values: object, token?: string) =>
  send(
    "POST",
    "/mutes",
    { kind: "facility", objectId: place.facilityId, reason: "Works on the switch", untilTimestamp: now() + 3_600, ...values },
    token,
  );
const muted = async (token?: string) => (await send("GET", "/mutes", undefined, token)).json["data"] as Mute[];
const runAll = async () => {
  for (const task of tasks) await task.run(new AbortController().signal);
};
const outbox = async () =>
  (
    await server.database.pool.query<{ line: string }>(
      "select kind || coalesce(', ' || sent_failed_reason, '') as line from notification order by id",
    )
  ).rows.map(({ line }) => line);
const verdict = async () =>
  ((await send("GET", `/nodes/${serial}/verdict`)).json["data"] as { verdict: { kind: string; gravity: string; sentence: string } })
    .verdict;

/** The node is lost, and has been for longer than anyone waits for it. */
async function lose(): Promise<void> {
  await runAll();
  await setLive(server.database.pool, serial, {
    is_connected: false,
    connection_changed_at: new Date(server.clock.now()),
    clock_skew_ms: 60_000,
  });
  server.clock.advance(700);
}

test.for(["node", "location", "facility"] as const)("what a %s covers is muted at once, and by itself no longer", async (kind) => {
  const objectId = { node: serial, location: place.locationId, facility: place.facilityId }[kind];
  await lose();
  const { status, json } = await mute({ kind, objectId, untilTimestamp: now() + 3_600 });
  expect(status).toBe(200);
  expect(json["data"]).toMatchObject({
    kind,
    objectId,
    facilityName: "North Works",
    locationName: kind === "facility" ? "" : "Feed Pump 1",
    timezone: "America/Chicago",
    nodeCount: 1,
    reason: "Works on the switch",
    username: "ann",
    untilTimestamp: now() + 3_600,
  });
  await runAll();
  expect(await outbox()).toEqual(["CONNECTIVITY_LOST, Muted: Works on the switch"]);
  expect(await verdict()).toMatchObject({
    kind: "paused",
    gravity: "note",
    sentence: expect.stringMatching(/^Muted until \d\d:\d\d C[DS]T\. Its connection ended, away since/),
  });
  await inTransaction(server.database.pool, (client) =>
    server.context.faultNotices.notify(client, [{ serialNumber: serial, kind: "overVoltage", at: now(), value: 9, limit: 8 }]),
  );
  expect((await outbox()).at(-1)).toBe("FAULT_overVoltage, Muted: Works on the switch");

  server.clock.advance(3_600);
  await signIn();
  expect(await muted()).toEqual([]);
  await setLive(server.database.pool, serial, { clock_skew_ms: 60_000 });
  await runAll();
  expect(await verdict()).toMatchObject({ kind: "away", gravity: "act" });
  expect((await outbox()).slice(2)).toEqual(["CONNECTIVITY_LOST"]);
});

test("a mute that someone ends is over at once; both are recorded, with their reason, of the object", async () => {
  const { json } = await mute({ untilTimestamp: now() + 86_400 });
  const { id } = json["data"] as Mute;
  expect(await mute({}, tokens.bob)).toMatchObject({ status: 409, json: { errorMessage: expect.stringContaining("by ann until") } });
  expect(await mute({ kind: "node", objectId: serial }, tokens.bob)).toMatchObject({ status: 200 });
  expect((await muted()).map(({ kind, username }) => `${kind} ${username}`)).toEqual(["node bob", "facility ann"]);
  expect(await send("DELETE", `/mutes/${id}`, undefined, tokens.bob)).toMatchObject({ status: 200 });
  expect(await send("DELETE", `/mutes/${id}`)).toMatchObject({ status: 404 });
  expect((await muted()).map(({ kind }) => kind)).toEqual(["node"]);
  const changes = (await send("GET", `/changes?object=facility/${place.facilityId}`)).json["data"];
  expect(changes).toMatchObject([
    { action: "DELETE_MUTE", actor: "bob", before: { reason: "Works on the switch" } },
    { action: "POST_MUTE", actor: "ann", after: { reason: "Works on the switch" } },
  ]);
  expect(await mute({})).toMatchObject({ status: 200 });
  const [ofNode] = (await muted()).filter(({ kind }) => kind === "node");
  await send("DELETE", `/mutes/${ofNode!.id}`);
  const descriptions = (await send("GET", `/changes?object=node/${serial}`)).json["data"] as { description: string }[];
  expect(descriptions.slice(0, 2).map(({ description }) => description)).toEqual([
    `The mute of node ${serial} was ended before its time`,
    expect.stringContaining(`The node ${serial} was muted until`),
  ]);
});

test("A-63 of what is muted twice the mute that lasts longest is named; one of another object, or of later, mutes nothing", async () => {
  const { pool } = server.database;
  const other = await addPlace(pool);
  const said = async () => {
    await inTransaction(pool, (client) =>
      server.context.faultNotices.notify(client, [{ serialNumber: serial, kind: "overVoltage", at: now(), value: 9, limit: 8 }]),
    );
    return (await outbox()).at(-1);
  };
  await mute({ objectId: other.facilityId, reason: "Another facility" });
  await mute({ kind: "location", objectId: other.locationId, reason: "Another place" });
  expect(await said()).toBe("FAULT_overVoltage");
  server.clock.advance(60);
  await mute({ kind: "node", objectId: serial, reason: "Node", untilTimestamp: now() + 1_000 });
  await mute({ kind: "location", objectId: place.locationId, reason: "Place", untilTimestamp: now() + 3_000 });
  await mute({ reason: "Facility", untilTimestamp: now() + 2_000 });
  const reasons: (string | undefined)[] = [];
  for (const kind of ["location", "facility", "node"]) {
    server.clock.advance(60);
    reasons.push(await said());
    const { id } = (await muted()).find(
      (each) => each.kind === kind && each.reason !== "Another place" && each.reason !== "Another facility",
    )!;
    await send("DELETE", `/mutes/${id}`);
  }
  expect(reasons).toEqual(["FAULT_overVoltage, Muted: Place", "FAULT_overVoltage, Muted: Facility", "FAULT_overVoltage, Muted: Node"]);
});

test("of two people who mute one object at the same time one is refused", async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => mute({})));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409", "409"]);
});

test("a mute ends at its instant, whatever the clocks of the place do meanwhile", async () => {
  // The second 01:30 of the night in which Chicago's clocks go back.
  const second = Date.parse("2027-11-07T07:30:00Z") / 1000;
  server.clock.advance(second - 3_700 - now());
  await signIn();
  await mute({ untilTimestamp: second });
  const [change] = (await send("GET", `/changes?object=facility/${place.facilityId}`)).json["data"] as { description: string }[];
  expect(change?.description).toBe("The facility North Works was muted until 2027-11-07 01:30:00 CST");
  server.clock.advance(second - now() - 1);
  await signIn();
  expect(await muted()).toHaveLength(1);
  server.clock.advance(1);
  expect(await muted()).toEqual([]);
});

test("what is not possible is refused; a demo user reads no word of anyone and mutes nothing", async () => {
  expect(await server.call({ method: "GET", url: "/api/mutes" })).toMatchObject({ status: 401 });
  const refused: [object, number][] = [
    [{ reason: "  " }, 400],
    [{ reason: "x".repeat(501) }, 400],
    [{ reason: "two\nlines" }, 400],
    [{ untilTimestamp: now() }, 400],
    [{ untilTimestamp: now() + 367 * 86_400 }, 400],
    [{ untilTimestamp: 1e12 }, 400],
    [{ kind: "customer" }, 400],
    [{ kind: "node", objectId: 99_999 }, 404],
    [{ kind: "location", objectId: 2_147_483_647 }, 404],
    [{ objectId: 2_147_483_648 }, 400],
  ];
  for (const [values, status] of refused) expect([values, (await mute(values)).status]).toEqual([values, status]);
  expect(await mute({}, tokens.demo)).toMatchObject({ status: 403 });
  expect(await mute({ reason: "x".repeat(500) })).toMatchObject({ status: 200 });
  const [shown] = await muted(tokens.demo);
  expect(shown).toMatchObject({ kind: "facility", reason: "hidden from demo users", username: expect.stringMatching(/^person[a-z]+$/) });
});

test("pauses of nodes are listed beside, retired nodes left out", async () => {
  const { pool } = server.database;
  const reason = "r".repeat(500);
  await addNode(pool, ++serial, await addPlace(pool), {
    pause_connectivity_notifications: true,
    pause_connectivity_notifications_reason: reason,
  });
  await addNode(pool, ++serial, undefined, { disable_monitoring: true, pause_notifications: true });
  await addNode(pool, ++serial, undefined, { disable_monitoring: true, current_deployment_status: "Decommissioned" });
  const { json } = await send("GET", "/mutes/pauses");
  expect(json["data"]).toMatchObject({
    total: 2,
    nodes: [
      {
        serialNumber: String(serial - 2),
        locationName: "Feed Pump 1",
        pauseConnectivityNotificationsReason: reason,
        disableMonitoring: false,
      },
      { serialNumber: String(serial - 1), locationName: "", disableMonitoring: true, pauseNotifications: true },
    ],
  });
});
