import type { Batch, BatchNode } from "@busbar/contract/telemetry/config-batches.ts";
import { readConfig } from "@busbar/server/config.ts";
import { createSecretsKey } from "@busbar/server/db/secrets-key.ts";
import { createBatchRunsStore, type BatchRunsStore } from "@busbar/server/features/telemetry/config-batches/batch-runs.store.ts";
import { createBatchSeal } from "@busbar/server/features/telemetry/config-batches/batch-seal.ts";
import { createConfigBatchesTask } from "@busbar/server/features/telemetry/config-batches/config-batches.task.ts";
import { createNodeCommands, type NodeCommands } from "@busbar/server/features/telemetry/node-commands/node-commands.service.ts";
import { addPlace } from "@busbar/server/testing/test-world.ts";
import { createNodeValues } from "@busbar/server/features/telemetry/node-config/node-values.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startConfigFleet, type ConfigFleet, type FleetNode } from "./config-fleet.fixture.ts";

const plain = Array.from({ length: 12 }, (_, index): FleetNode => ({ serial: 10_301 + index, quirks: {} }));
const nodes: FleetNode[] = [
  ...plain,
  { serial: 10_330, type: "subNode", parentSerial: 10_301 },
  { serial: 10_340, quirks: { neverAnswersCommands: true } },
  { serial: 10_343, quirks: { liesAboutConfig: "says-done" } },
  { serial: 10_350, quirks: { neverConnects: true } },
];
const [first = "", ...others] = plain.map(({ serial }) => String(serial));

let world: ConfigFleet;
let token: string;
let otherToken: string;
beforeAll(async () => {
  world = await startConfigFleet(nodes);
  token = await world.server.login(await world.server.addAdministrator("pat"));
  otherToken = await world.server.login(await world.server.addAdministrator("sam"));
  const connecting = nodes.filter(({ quirks }) => !quirks?.neverConnects);
  await vi.waitUntil(async () => !(await Promise.all(connecting.map(({ serial }) => world.isConnected(serial)))).includes(false), {
    interval: 50,
  });
});
afterAll(() => world.stop());

const isSilent = (serial: number) => nodes.some((node) => node.serial === serial && node.quirks?.neverAnswersCommands);

/** The service, as it is after a start of its process. */
function service(broken: Partial<BatchRunsStore> = {}) {
  const { database, clock, dataDir, context } = world.server;
  const { pool } = database;
  const openNodes = () => {
    const commands = createNodeCommands(pool);
    const nodeCommands: NodeCommands = {
      ...commands,
      send(command) {
        if (isSilent(command.serialNumber)) void world.endWait(command.serialNumber);
        return commands.send(command);
      },
    };
    return { commands, values: createNodeValues({ pool, nodeCommands, clock, answerTimeoutMs: 20_000 }) };
  };
  const seal = createBatchSeal(pool, createSecretsKey(readConfig({ DATA_DIR: dataDir }).secretsKeyFile));
  return createConfigBatchesTask({ pool, store: { ...createBatchRunsStore(pool), ...broken }, seal, openNodes, clock, log: context.log });
}
const run = (broken?: Partial<BatchRunsStore>) => service(broken).run(new AbortController().signal);

async function askAny(method: "GET" | "POST" | "PATCH", url: string, payload?: object) {
  const { status, json } = await world.server.call({ method, url: `/api${url}`, ...(payload ? { payload } : {}), token });
  return { status, data: json["data"], message: json["errorMessage"] };
}
async function ask(...call: Parameters<typeof askAny>) {
  const answer = await askAny(...call);
  return { ...answer, data: answer.data as Batch };
}
const make = async (serialNumbers: string[], values: Record<string, string>) =>
  (await ask("POST", "/batches", { serialNumbers, values: Object.entries(values).map(([key, value]) => ({ key, value })) })).data;
/** Made and read. */
async function makeRead(serialNumbers: string[], values: Record<string, string>): Promise<Batch> {
  const { id } = await make(serialNumbers, values);
  await run();
  return find(id);
}
const find = async (id: number) => (await ask("GET", `/batches/${id}`)).data;
const nodesOf = async (id: number) => (await askAny("GET", `/batches/${id}/nodes`)).data as BatchNode[];
const stateOf = async (id: number) =>
  Object.fromEntries((await nodesOf(id)).map(({ serialNumber, state, reason }) => [serialNumber, reason ? `${state}: ${reason}` : state]));
const pace = { atOnce: 20, perMinute: null, firstWave: 3, stopPercent: 100, startLocal: "" };
const start = async ({ id, hash }: Pick<Batch, "id" | "hash">, part: object = {}, code?: string) =>
  ask("POST", `/batches/${id}/start`, { ...pace, hash, code: code ?? (await world.passcode("pat")), ...part });
/** Started and rolled out. */
async function rollOut(batch: Batch, part: object = {}): Promise<Batch> {
  expect((await start(batch, part)).status).toBe(200);
  await run();
  return find(batch.id);
}
const order = (id: number, word: string, proof: object = {}) => ask("PATCH", `/batches/${id}`, { order: word, ...proof });
const proofFor = async ({ hash }: Pick<Batch, "hash">, username = "pat") => ({ hash, code: await world.passcode(username) });
const valueOf = async (serial: string, key: string) =>
  ((await askAny("GET", `/nodes/${serial}/config`)).data as Record<string, string>)[key];
const audit = (id: number) =>
  world.ingest.rows<{ serial_number: number; old_value: string; new_value: string; result: string; username: string }>(
    "select * from audit_log where batch_id = $1 order by serial_number, id",
    [id],
  );
const activities = async (id: number) =>
  (await world.ingest.rows<{ action: string }>("select action from activity where object = $1 order by id", [`batch/${id}`])).map(
    ({ action }) => action,
  );

test("CFG-06 a batch reads its nodes, says who is left out and why, changes the others with one passcode, each confirmed and in the audit log", async () => {
  await world.ingest.rows("update node set current_deployment_status = 'Decommissioned' where serial_number = 10312");
  const serials = [first, others[0]!, "10330", "10312", "10340", "10343", "10350", "10999"];
  expect((await ask("PATCH", `/nodes/${others[0]}/config/v_noise/7/2fa/${await world.passcode("pat")}/previous/5`)).status).toBe(200);
  const batch = await makeRead(serials, { v_noise: "7.0" });
  expect(batch).toMatchObject({
    state: "ready",
    keys: ["v_noise"],
    values: [{ key: "v_noise", value: "7" }],
    nodeCount: 8,
    counts: { left: 5, waiting: 3 },
  });
  expect(await stateOf(batch.id)).toEqual({
    [first]: "waiting",
    [others[0]!]: "left: It has this value already",
    10312: "left: It is decommissioned",
    10330: "waiting",
    10340: "left: It did not answer",
    10343: "waiting",
    10350: "left: Node 10350 is not connected",
    10999: "left: There is no such node",
  });
  expect((await nodesOf(batch.id))[0]!.changes).toEqual([{ key: "v_noise", oldValue: "5", newValue: "7" }]);
  expect(await valueOf(first, "v_noise")).toBe("5");

  expect(await rollOut(batch)).toMatchObject({ state: "done", startedBy: "pat", counts: { confirmed: 2, refused: 1 } });
  expect((await stateOf(batch.id))["10343"]).toBe(
    "refused: Node 10343 said that it changed v_noise, but did not; it is 5 there. Refresh to see its values.",
  );
  expect([await valueOf(first, "v_noise"), await valueOf("10330", "v_noise")]).toEqual(["7", "7"]);
  expect(
    (await audit(batch.id)).map(({ serial_number, old_value, new_value, result, username }) => [
      serial_number,
      old_value,
      new_value,
      result,
      username,
    ]),
  ).toEqual([
    [10301, "5", "7", "confirmed", "pat"],
    [10330, "5", "7", "confirmed", "pat"],
    [10343, "5", "7", "contradicted", "pat"],
  ]);
  expect(await activities(batch.id)).toEqual(["START_BATCH", "END_BATCH"]);

  // What failed is tried again after a dry run of its own; what was changed is put back, where it is still so.
  expect((await ask("POST", `/batches/${batch.id}/next`, { kind: "retry" })).data).toMatchObject({
    kind: "retry",
    sourceId: batch.id,
    nodeCount: 5,
  });
  expect((await ask("PATCH", `/nodes/10330/config/v_noise/9/2fa/${await world.passcode("pat")}/previous/7`)).status).toBe(200);
  const { data: back } = await ask("POST", `/batches/${batch.id}/next`, { kind: "putBack" });
  await run();
  expect(await stateOf(back.id)).toEqual({ [first]: "waiting", 10330: "left: v_noise was changed since: it is 9 now" });
  expect(await rollOut(await find(back.id))).toMatchObject({ state: "done", kind: "putBack" });
  expect([await valueOf(first, "v_noise"), await valueOf("10330", "v_noise")]).toEqual(["5", "9"]);
});

test("CFG-06 several values go to a node one after the other, and stop at the first that is not confirmed", async () => {
  const batch = await makeRead([first, "10343"], { events_throttle: "61", start_seconds: "11" });
  expect(await rollOut(batch)).toMatchObject({ state: "done", counts: { confirmed: 1, refused: 1 } });
  expect([await valueOf(first, "events_throttle"), await valueOf(first, "start_seconds"), await valueOf("10343", "start_seconds")]).toEqual(
    ["61", "11", "10"],
  );
  expect((await stateOf(batch.id))["10343"]).toMatch(/^refused: events_throttle: Node 10343 said/);
  expect(await audit(batch.id)).toHaveLength(3);
  // They are put back the other way round: some are right only once others are there.
  const { data: back } = await ask("POST", `/batches/${batch.id}/next`, { kind: "putBack" });
  expect(
    (await nodesOf(back.id)).map(({ serialNumber, changes }) => [serialNumber, changes.map(({ key, newValue }) => `${key} ${newValue}`)]),
  ).toEqual([[first, ["start_seconds 10", "events_throttle 60"]]]);
  expect((await order(back.id, "cancel")).status).toBe(200);
  // The list goes on before the last one of a page.
  const { data: page } = (await askAny("GET", "/batches")) as { data: Batch[] };
  const { data: next } = (await askAny("GET", `/batches?before=${page[0]!.id}`)) as { data: Batch[] };
  expect([page[0]!.id, next[0]!.id]).toEqual([back.id, batch.id]);
});

test("CFG-06 a value that a node of its kind may not have, or a parameter that it lacks, leaves it out", async () => {
  expect(await stateOf((await makeRead([first], { np_running_speed: "1801" })).id)).toMatchObject({
    [first]: expect.stringMatching(/^left: np_running_speed must be below/),
  });
  expect(await stateOf((await makeRead([first], { own_key: "1" })).id)).toEqual({ [first]: "left: It does not have own_key" });
  const empty = await makeRead([first], { own_key: "1" });
  expect(await start(empty)).toMatchObject({ status: 409, message: `Batch ${empty.id} has no node to change` });
});

describe("SEC-03 the passcode", () => {
  test("counts once, for the batch that it is given for, as it was read", async () => {
    const [one, other] = [await makeRead([first], { np_hp: "51" }), await makeRead([others[1]!], { np_hp: "52" })];
    const code = await world.passcode("pat");
    expect((await start(one, { hash: other.hash }, code)).status).toBe(409);
    expect(await start(one, {}, "000000")).toMatchObject({ status: 403, message: "The 2FA code is not right" });
    expect((await find(one.id)).state).toBe("ready");
    expect((await start(one, {}, code)).status).toBe(200);
    expect(await start(other, {}, code)).toMatchObject({ status: 403, message: "This 2FA code was already used. Wait for the next one" });
    expect(await start(one, {})).toMatchObject({ status: 409, message: `Batch ${one.id} is under way` });
    await run();
    expect([await valueOf(first, "np_hp"), await valueOf(others[1]!, "np_hp")]).toEqual(["51", "50"]);

    // The nodes are read again, and one has changed meanwhile: what was approved was another batch.
    await rollOut(await makeRead([others[1]!], { np_hp: "49" }));
    expect((await order(other.id, "readAgain")).data.hash).toBe("");
    await run();
    expect(await start(other)).toMatchObject({ status: 409, message: expect.stringContaining("were read again meanwhile") });
    expect((await rollOut(await find(other.id))).counts.confirmed).toBe(1);
  });

  test("counts for nothing that was changed in the database afterwards", async () => {
    const [one, other] = [await makeRead([first], { np_sf: "1.2" }), await makeRead([first], { np_sf: "1.9" })];
    expect((await start(one)).status).toBe(200);
    const plan = "select sealed from config_batch_node where batch_id = $1";
    await world.ingest.rows(`update config_batch_node set sealed = (${plan}) where batch_id = $2`, [other.id, one.id]);
    await run();
    await world.ingest.rows("update config_batch set hash = $2 where id = $1", [one.id, other.hash]);
    await run();
    expect(await valueOf(first, "np_sf")).toBe("1.15");
    await world.ingest.rows("delete from config_batch where id = $1", [one.id]);
    await world.ingest.rows("delete from service_set_aside");
  });

  test("and the values are in the clear in the audit log only", async () => {
    const value = "77.0421";
    const batch = await makeRead([first], { v_noise: value });
    await rollOut(batch);
    const tables = await world.ingest.rows<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const holders: string[] = [];
    for (const { name } of tables) {
      const found = await world.ingest.rows(`select 1 from ${name} t where t::text like '%' || $1 || '%' limit 1`, [value]);
      if (found.length > 0) holders.push(name);
    }
    expect(holders.toSorted()).toEqual(["audit_log", "node_command", "node_config"]);
    expect(world.server.logText()).not.toContain(value);
  });
});

describe("CFG-06 a roll-out", () => {
  const ten = others.slice(0, 10);

  test("SEC-03 begins with a few, and goes no further when they fail; it is resumed, with a passcode where it stopped or is another person's", async () => {
    const batch = await makeRead(ten, { pq_delta_v: "11" });
    // Someone changes them by hand meanwhile.
    for (const serial of ten.slice(0, 2)) await rollOut(await makeRead([serial], { pq_delta_v: "12" }));
    const stopped = await rollOut(batch, { stopPercent: 10 });
    expect(stopped).toMatchObject({
      state: "stopped",
      stopReason: "2 of the last 3 nodes failed",
      counts: { refused: 2, confirmed: 1, waiting: 7 },
    });
    expect((await stateOf(batch.id))[ten[0]!]).toContain("is not 10 any more; it is 12 there");
    // Only someone who proves who they are goes on after failures, and only with this batch.
    expect(await order(batch.id, "resume")).toMatchObject({ status: 400, message: "code: Missing 2FA Passcode" });
    expect((await order(batch.id, "resume", { ...(await proofFor(batch)), hash: "0".repeat(64) })).status).toBe(409);
    expect(await order(batch.id, "resume", { hash: batch.hash, code: "000000" })).toMatchObject({ status: 403 });
    expect((await find(batch.id)).state).toBe("stopped");
    expect((await order(batch.id, "resume", await proofFor(batch))).status).toBe(200);
    await order(batch.id, "pause");
    await run();
    expect((await find(batch.id)).counts.waiting).toBe(7);
    // No other batch touches a node whose turn may still come.
    const other = await makeRead([ten[9]!], { pq_delta_v: "13" });
    expect(await stateOf(other.id)).toEqual({ [ten[9]!]: `left: Batch ${batch.id} is about to change it` });
    const own = token;
    token = otherToken;
    expect(await order(batch.id, "resume")).toMatchObject({ status: 400, message: "code: Missing 2FA Passcode" });
    expect((await order(batch.id, "resume", await proofFor(batch, "sam"))).status).toBe(200);
    expect((await order(batch.id, "pause")).status).toBe(200);
    token = own;
    expect((await order(batch.id, "resume")).status).toBe(200);
    await run();
    expect(await find(batch.id)).toMatchObject({ state: "done", counts: { refused: 2, confirmed: 8 } });
    expect(await activities(batch.id)).toEqual([
      "START_BATCH",
      "STOP_BATCH",
      "RESUME_BATCH",
      "PAUSE_BATCH",
      "RESUME_BATCH",
      "PAUSE_BATCH",
      "RESUME_BATCH",
      "END_BATCH",
    ]);
    expect(await order(batch.id, "cancel")).toMatchObject({ status: 409, message: `Batch ${batch.id} has ended` });
  });

  test("SEC-03 a pause forgives no failure: going on without a passcode leads no further than the batch allows", async () => {
    const { clock } = world.server;
    const batch = await makeRead(ten.slice(0, 5), { pq_delta_v: "14" });
    for (const serial of ten.slice(0, 2)) await rollOut(await makeRead([serial], { pq_delta_v: "15" }));
    await rollOut(batch, { stopPercent: 10, perMinute: 1 });
    for (let sent = 1; sent < 3; sent++) {
      expect((await order(batch.id, "pause")).status).toBe(200);
      expect((await order(batch.id, "resume")).status).toBe(200);
      clock.advance(61);
      await run();
    }
    expect(await find(batch.id)).toMatchObject({
      state: "stopped",
      stopReason: "2 of the last 3 nodes failed",
      counts: { refused: 2, confirmed: 1, waiting: 2 },
    });
    expect((await order(batch.id, "cancel")).status).toBe(200);
  });

  test("keeps its pace and its time of the place, and a cancelled one changes no more", async () => {
    const batch = await makeRead(ten, { pq_delta_i: "51" });
    const { clock } = world.server;
    const soon = new Date(clock.now() + 1_200_000).toISOString().slice(0, 16).replace("T", " ");
    expect((await start(batch, { startLocal: "2058-01-01 00:00" })).message).toBe("startLocal: is more than 14 days away");
    expect((await start(batch, { startLocal: "2026-01-01 00:00" }, "000000")).message).toBe("startLocal: this time is past at UTC");
    expect((await rollOut(batch, { perMinute: 1, startLocal: soon })).counts.waiting).toBe(10);
    clock.advance(1_260);
    await run();
    await run();
    expect((await find(batch.id)).counts.confirmed).toBe(1);
    clock.advance(61);
    await run();
    expect((await find(batch.id)).counts.confirmed).toBe(2);
    await order(batch.id, "cancel");
    clock.advance(61);
    await run();
    expect(await find(batch.id)).toMatchObject({ state: "cancelled", counts: { confirmed: 2, dropped: 8 } });
    expect((await ask("POST", `/batches/${batch.id}/next`, { kind: "retry" })).data.nodeCount).toBe(8);
  });

  test("meets nodes that left, fell silent or were decommissioned since they were read; the others are changed", async () => {
    const batch = await makeRead(ten, { i_noise: "2" });
    await world.ingest.rows("update node set current_deployment_status = 'Decommissioned' where serial_number = $1", [Number(ten[0])]);
    await world.ingest.rows("update node_live set is_connected = false, changed_xid = pg_current_xact_id() where serial_number = $1", [
      Number(ten[1]),
    ]);
    const silent = plain[3]!;
    Object.assign(silent.quirks!, { neverAnswersCommands: true });
    const ended = await rollOut(batch);
    Object.assign(silent.quirks!, { neverAnswersCommands: false });
    await world.ingest.rows("update node_live set is_connected = true, changed_xid = pg_current_xact_id() where serial_number = $1", [
      Number(ten[1]),
    ]);
    await world.ingest.rows("update node set current_deployment_status = 'Deployed' where serial_number = $1", [Number(ten[0])]);
    expect(ended).toMatchObject({ state: "done", counts: { confirmed: 7, refused: 2, unknown: 1 } });
    expect(await stateOf(batch.id)).toMatchObject({
      [ten[0]!]: `refused: Node ${ten[0]} was decommissioned meanwhile`,
      [ten[1]!]: `refused: Node ${ten[1]} is not connected`,
      [silent.serial]: "unknown: The node did not answer; the value may or may not have changed. Refresh to see it.",
    });
    expect((await audit(batch.id)).map(({ result }) => result).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => "confirmed"),
      "refused",
      "refused",
      "unanswered",
    ]);
  });
});

describe("CFG-06 a node that was moved since it was read", () => {
  const moveTo = async (serial: string, name: string, zone = "America/Chicago") => {
    const { locationId } = await addPlace(world.server.database.pool, zone);
    await world.ingest.rows("update location set name = $2 where id = $1", [locationId, name]);
    await world.ingest.rows(
      "insert into node_assignment (serial_number, location_id, slot) values ($1, $2, 1) on conflict (serial_number) do update set location_id = excluded.location_id",
      [Number(serial), locationId],
    );
  };
  const serials = others.slice(7, 10);
  const [here = "", moved = "", placed = ""] = serials;

  test("is not written at its new place: not by the batch, nor where it is put back", async () => {
    await moveTo(here, "Pump 1");
    await moveTo(moved, "Pump 2");
    const batch = await makeRead(serials, { np_hp: "61" });
    expect((await nodesOf(batch.id)).map(({ state, locationName }) => [state, locationName])).toEqual([
      ["waiting", "Pump 1"],
      ["waiting", "Pump 2"],
      ["waiting", ""],
    ]);
    await moveTo(moved, "Fan 3");
    await moveTo(placed, "Fan 4");
    await rollOut(batch);
    expect(await stateOf(batch.id)).toEqual({
      [here]: "confirmed",
      [moved]: `refused: Node ${moved} was at Pump 2 when it was read, and is at Fan 3 now`,
      [placed]: `refused: Node ${placed} was at no location when it was read, and is at Fan 4 now`,
    });
    expect((await audit(batch.id)).map(({ result }) => result).toSorted()).toEqual(["confirmed", "refused", "refused"]);

    const { data: retry } = await ask("POST", `/batches/${batch.id}/next`, { kind: "retry" });
    await run();
    await rollOut(await find(retry.id));
    expect(await stateOf(retry.id)).toEqual({ [moved]: "confirmed", [placed]: "confirmed" });

    await moveTo(here, "Fan 5");
    const { data: back } = await ask("POST", `/batches/${batch.id}/next`, { kind: "putBack" });
    await run();
    expect(await stateOf(back.id)).toEqual({ [here]: "left: It was at Pump 1 when it was changed, and is at Fan 5 now" });
  });

  test("is part of what the passcode counts for", async () => {
    const batch = await makeRead([here], { np_hp: "62" });
    await moveTo(here, "Fan 6");
    await order(batch.id, "readAgain");
    await run();
    expect(await start(batch)).toMatchObject({ status: 409, message: expect.stringContaining("were read again meanwhile") });
  });
});

test("CFG-06 nodes that are not back yet after a start of the platform are waited for, for two minutes", async () => {
  const [back = "", gone = "", left = ""] = others;
  const batch = await makeRead([back, gone, left], { i_noise: "3" });
  const leave = (serial: string, reason: string) =>
    world.ingest.rows(
      "update node_live set is_connected = false, disconnect_reason = $2, connection_changed_at = now(), changed_xid = pg_current_xact_id() where serial_number = $1",
      [Number(serial), reason],
    );
  await leave(back, "restart");
  await leave(gone, "restart");
  await leave(left, "no-answer");
  expect((await rollOut(batch)).counts).toMatchObject({ waiting: 2, refused: 1 });
  await world.ingest.rows("update node_live set is_connected = true, changed_xid = pg_current_xact_id() where serial_number = $1", [
    Number(back),
  ]);
  await world.ingest.rows(
    "update node_live set connection_changed_at = now() - interval '3 minutes', changed_xid = pg_current_xact_id() where serial_number = $1",
    [Number(gone)],
  );
  await world.ingest.rows("update ingest_presence set started_at = started_at - interval '1 day'");
  world.server.clock.advance(11);
  await run();
  await world.ingest.rows(
    "update node_live set is_connected = true, changed_xid = pg_current_xact_id() where serial_number = any ($1::int4[])",
    [[Number(gone), Number(left)]],
  );
  expect(await stateOf(batch.id)).toEqual({
    [back]: "confirmed",
    [gone]: `refused: Node ${gone} is not connected`,
    [left]: `refused: Node ${left} is not connected`,
  });
});

describe("CFG-06 a server that dies in the middle of a roll-out", () => {
  const died = () => Promise.reject(new Error("killed"));

  test("before a change was handed over: it is sent by the next one, once", async () => {
    const batch = await makeRead([first, others[0]!], { np_rotor_bars: "40" });
    await start(batch);
    await run({ handOver: died });
    expect((await find(batch.id)).counts.sending).toBe(2);
    await run();
    expect(await find(batch.id)).toMatchObject({ state: "done", counts: { confirmed: 2 } });
    expect((await audit(batch.id)).map(({ result }) => result)).toEqual(["confirmed", "confirmed"]);
  });

  test("after it was sent: it is settled from its command, and not sent again", async () => {
    const batch = await makeRead([first, others[0]!], { np_rotor_bars: "41" });
    await start(batch);
    await run({ settle: died });
    expect((await audit(batch.id)).map(({ result }) => result)).toEqual(["sent", "sent"]);
    await run();
    expect(await find(batch.id)).toMatchObject({ state: "done", counts: { confirmed: 2 } });
    expect((await audit(batch.id)).map(({ result }) => result)).toEqual(["confirmed", "confirmed"]);
  });

  test("and no one knows of the command any more: the node is read again", async () => {
    const batch = await makeRead([first, others[0]!], { np_rotor_bars: "42" });
    await start(batch);
    await run({ settle: died });
    // One of them has lost its value again: it may have been changed, and no one can say.
    expect((await ask("PATCH", `/nodes/${others[0]}/config/np_rotor_bars/41/2fa/${await world.passcode("pat")}/previous/42`)).status).toBe(
      200,
    );
    await world.ingest.rows("delete from node_command");
    await run();
    expect(await find(batch.id)).toMatchObject({ state: "done", counts: { confirmed: 1, unknown: 1 } });
    expect((await audit(batch.id)).map(({ result }) => result).toSorted()).toEqual(["confirmed", "unanswered"]);
  });

  test("a process that lives on after all neither sends nor settles what another has taken over", async () => {
    const batch = await makeRead([first], { np_rotor_bars: "43" });
    await start(batch);
    const store = createBatchRunsStore(world.server.database.pool);
    await run({
      handOver: async (client, turn, auditId) => {
        await store.takeOver(turn);
        await store.handOver(client, turn, auditId);
      },
    });
    expect([await valueOf(first, "np_rotor_bars"), await audit(batch.id)]).toEqual(["42", []]);
    await run();
    expect((await find(batch.id)).counts.confirmed).toBe(1);
  });
});

test("SEC-02 what is refused: an unknown batch, a value that no node may have, a parameter twice, too many nodes", async () => {
  const values = [{ key: "v_noise", value: "6" }];
  expect(await ask("GET", "/batches/99999")).toMatchObject({ status: 404, message: "Batch 99999 was not found" });
  expect(await ask("GET", "/batches/99999/nodes")).toMatchObject({ status: 404 });
  const attempt = async (serialNumbers: string[], wanted: object[]) =>
    (await ask("POST", "/batches", { serialNumbers, values: wanted })).message;
  expect(await attempt([first], [{ key: "v_noise", value: "201" }])).toBe("values: v_noise must be a number from 0 to 200 V");
  expect(await attempt([first], [...values, ...values])).toBe("values: a parameter is named twice");
  expect(
    await attempt(
      Array.from({ length: 2_001 }, (_, index) => String(10_000 + index)),
      values,
    ),
  ).toBe("serialNumbers: A batch has at most 2000 nodes");
  expect(await attempt([], values)).toBe("serialNumbers: A batch has at least one node");
});
