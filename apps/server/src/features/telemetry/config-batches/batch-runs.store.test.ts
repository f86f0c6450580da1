import { batchesPerPage, batchStates, type BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { reverseRows } from "#testing/reverse-rows.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import type { BatchSeal } from "./batch-seal.ts";
import { createConfigBatchesReadModel } from "./config-batches.read-model.ts";
import { createBatchRunsStore, TakenOver, type BatchRunsStore, type SendingNode } from "./batch-runs.store.ts";
import {
  cancelBatch,
  findBatchPlans,
  findBatchZones,
  insertBatch,
  insertBatchNodes,
  lockBatch,
  pauseBatch,
  readBatchAgain,
  resumeBatch,
  setBatchStart,
  startBatch,
  wakeBatchService,
} from "./config-batches.store.ts";

let database: TestDatabase;
let store: BatchRunsStore;
const now = 1_800_000_000;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createBatchRunsStore(database.pool);
});
afterAll(() => database.stop());

/** A batch of nodes 1, 2 and 3, not read yet. */
async function add(state: BatchState = "reading"): Promise<number> {
  const id = await inTransaction(database.pool, async (client) => {
    const made = await insertBatch(client, { kind: "change", sourceId: null, madeBy: "pat", keys: ["np_hp"], sealedValues: "" }, now);
    await insertBatchNodes(
      client,
      made,
      [1, 2, 3].map((serial) => ({ serial, sealed: `plan ${serial}` })),
    );
    return made;
  });
  await database.pool.query("update config_batch set state = $2 where id = $1", [id, state]);
  return id;
}
const batchOf = async (id: number) =>
  (
    await database.pool.query<{ state: string; hash: string; reason: string }>(
      "select state, hash, stop_reason as reason from config_batch where id = $1",
      [id],
    )
  ).rows[0]!;
const statesOf = async (id: number) =>
  (
    await database.pool.query<{ state: string }>("select state from config_batch_node where batch_id = $1 order by serial_number", [id])
  ).rows.map(({ state }) => state);

test("A-63 the plans of a batch come in the order of its nodes, wherever their rows lie", async () => {
  const id = await add();
  const serials = async () => (await inTransaction(database.pool, (client) => findBatchPlans(client, id))).map(({ serial }) => serial);
  const before = await serials();
  await reverseRows(database.pool);
  expect([before, await serials()]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  await database.pool.query("delete from config_batch");
});

test.each(batchStates)(
  "A-63 a batch that is %s is ready only where it was being read, and stops only where it was running",
  async (state) => {
    const read = await add(state);
    await store.writeReady(read, "hash", now);
    expect(await batchOf(read)).toMatchObject(state === "reading" ? { state: "ready", hash: "hash" } : { state, hash: "" });
    const stopped = await add(state);
    await store.stop(stopped, "why");
    expect(await batchOf(stopped)).toMatchObject(state === "running" ? { state: "stopped", reason: "why" } : { state, reason: "" });
    await database.pool.query("delete from config_batch");
  },
);

test("A-63 nodes are taken to be read once, lowest first; those of a process that ended are read again, and those read stay", async () => {
  const [id, other] = [await add(), await add()];
  const taken = async () => new Set((await store.takeUnread(id, 2)).map(({ serial }) => serial));
  expect([await taken(), await taken(), await taken()]).toEqual([new Set([1, 2]), new Set([3]), new Set()]);
  expect(await store.findPlans(id)).toBeUndefined();
  await store.writeRead(id, 1, "", "read 1");
  await store.writeRead(id, 3, "same", "read 3");
  await store.freeReading(id, [2]);
  expect(await statesOf(id)).toEqual(["waiting", "reading", "left"]);
  await store.freeReading(id, [1, 3]);
  expect([await statesOf(id), await store.findPlans(id)]).toEqual([["waiting", "unread", "left"], undefined]);
  // It was given away meanwhile.
  await store.writeRead(id, 2, "", "late");
  expect([await statesOf(id), await taken()]).toEqual([["waiting", "unread", "left"], new Set([2])]);
  await store.writeRead(id, 2, "", "read 2");
  await store.writeRead(id, 1, "same", "again");
  const plans = await store.findPlans(id);
  expect(new Map(plans?.map(({ serial, sealed }) => [serial, sealed]))).toEqual(
    new Map([
      [1, "read 1"],
      [2, "read 2"],
    ]),
  );
  expect(await statesOf(other)).toEqual(["unread", "unread", "unread"]);
});

describe("A-63 a node that was taken over meanwhile", () => {
  const turns: [string, (turn: { batchId: number; serial: number; commandId: string }) => Promise<unknown>][] = [
    ["put off", (turn) => store.putOff(turn, now)],
    ["taken over", (turn) => store.takeOver(turn)],
    ["handed over", (turn) => inTransaction(database.pool, (client) => store.handOver(client, turn, 7))],
    ["gone on with", (turn) => inTransaction(database.pool, (client) => store.goOn(client, turn, crypto.randomUUID()))],
    ["settled", (turn) => inTransaction(database.pool, (client) => store.settle(client, turn, { state: "refused", sealed: "", now }))],
  ];
  test.each(turns)("is not %s", async (deed, act) => {
    const id = await add("running");
    await database.pool.query("update config_batch_node set state = 'waiting' where batch_id = $1", [id]);
    const { nodes } = await store.takeDue(id, now);
    const [node] = nodes as [SendingNode];
    const turn = { batchId: id, serial: node.serial, commandId: node.commandId };
    await expect(act({ ...turn, commandId: crypto.randomUUID() })).rejects.toThrow(TakenOver);
    await act(turn);
    await database.pool.query("update config_batch_node set state = 'confirmed' where batch_id = $1", [id]);
    await expect(act(turn)).rejects.toThrow(TakenOver);
    const { rows } = await database.pool.query<{ commandId: string }>(
      `update config_batch_node set state = 'refused' where batch_id = $1 and serial_number = 1 returning command_id::text as "commandId"`,
      [id],
    );
    const present = { ...turn, commandId: rows[0]!.commandId };
    await expect(act(present)).rejects.toThrow(TakenOver);
    // What was handed over is followed to its end, and nothing else.
    await database.pool.query("update config_batch_node set state = 'sending', audit_id = 8 where batch_id = $1", [id]);
    const isRefused = await act(present).then(
      () => false,
      (error: unknown) => error instanceof TakenOver,
    );
    expect(isRefused).toBe(!["gone on with", "settled"].includes(deed));
    await database.pool.query("delete from config_batch");
  });
});

describe("A-63 beside another batch", () => {
  const setNodes = (id: number, ...states: readonly string[]) =>
    database.pool.query(
      "update config_batch_node n set state = u.state from unnest($2::text[]) with ordinality u (state, place) where n.batch_id = $1 and n.serial_number % 10000 = u.place",
      [id, states],
    );
  const rowsOf = async (id: number) => ({
    batch: (await database.pool.query<Record<string, unknown>>("select * from config_batch where id = $1", [id])).rows[0],
    nodes: (await database.pool.query("select * from config_batch_node where batch_id = $1 order by serial_number", [id])).rows,
  });
  const inOne = <T>(work: (client: PoolClient) => Promise<T>) => inTransaction(database.pool, work);

  test("every order counts for its own batch alone", async () => {
    const { pool } = database;
    await addNode(pool, 10_001, await addPlace(pool, "America/Denver"));
    await addNode(pool, 10_002, await addPlace(pool, "America/Denver"));
    const other = await add();
    const id = await add();
    await pool.query("update config_batch_node set serial_number = serial_number + 10000");
    await setNodes(other, "waiting", "refused", "waiting");
    await setNodes(id, "waiting", "confirmed", "waiting");
    const before = await rowsOf(other);
    expect((await inOne((client) => findBatchZones(client, id))).toSorted()).toEqual(["America/Denver", "UTC"]);
    const starts = [
      { timezone: "UTC", at: now + 60 },
      { timezone: "America/Denver", at: now + 30 },
    ];
    const pace = { atOnce: 2, perMinute: 3, firstWave: 4, stopPercent: 5, startLocal: "2026-01-01 08:00" };
    await inOne(async (client) => {
      await startBatch(client, id, "ann", pace, now);
      await setBatchStart(client, id, starts);
    });
    const { batch: started, nodes } = await rowsOf(id);
    expect(started).toMatchObject({
      state: "running",
      started_by: "ann",
      started_at: new Date(now * 1000),
      at_once: 2,
      per_minute: 3,
      first_wave: 4,
      stop_percent: 5,
      start_local: "2026-01-01 08:00",
    });
    expect(nodes).toMatchObject([
      { not_before: new Date((now + 30) * 1000) },
      { not_before: null },
      { not_before: new Date((now + 60) * 1000) },
    ]);
    await inOne((client) => pauseBatch(client, id));
    await inOne((client) => resumeBatch(client, id));
    const resumed = async () => (await rowsOf(id)).batch;
    expect(await resumed()).toMatchObject({ state: "running", is_first_wave_over: false, forgiven_settled: 0, forgiven_failed: 0 });
    await setNodes(id, "refused", "confirmed", "unknown");
    await store.stop(id, "why");
    await pool.query("update config_batch set next_claim_at = to_timestamp($2) where id = $1", [id, now + 600]);
    await inOne((client) => resumeBatch(client, id));
    expect(await resumed()).toMatchObject({
      state: "running",
      is_first_wave_over: true,
      forgiven_settled: 3,
      forgiven_failed: 2,
      stop_reason: "",
      next_claim_at: null,
    });
    await setNodes(id, "waiting", "confirmed", "sending");
    await inOne((client) => cancelBatch(client, id, now));
    expect([(await batchOf(id)).state, await statesOf(id)]).toEqual(["cancelled", ["dropped", "confirmed", "sending"]]);
    expect((await rowsOf(id)).batch).toMatchObject({ ended_at: new Date(now * 1000) });
    expect((await inOne((client) => lockBatch(client, id)))?.state).toBe("cancelled");
    await pool.query("update config_batch set read_at = now(), hash = 'read' where id = $1", [id]);
    await pool.query("update config_batch_node set left_for = 'same' where batch_id = $1", [id]);
    await inOne((client) => readBatchAgain(client, id));
    const unread = await rowsOf(id);
    expect([unread.batch, unread.nodes]).toMatchObject([
      { read_at: null, hash: "" },
      [{ left_for: "" }, { left_for: "" }, { left_for: "" }],
    ]);
    expect([(await batchOf(id)).state, await statesOf(id)]).toEqual(["reading", ["unread", "unread", "unread"]]);
    await store.writeRead(id, 10_001, "", "read");
    await store.takeUnread(id, 1);
    await store.freeReading(id, []);
    await store.writeReady(id, "hash", now);
    expect(await rowsOf(other)).toEqual(before);
    await pool.query("delete from config_batch; delete from node");
  });

  test("a node is said to be in the first other batch that is about to change it", async () => {
    const others = [await add("ready"), await add("done"), await add("stopped"), await add("running"), await add("paused")];
    for (const each of others) await setNodes(each, "waiting", "sending", "confirmed");
    const id = await add();
    await setNodes(id, "unread", "unread", "unread");
    const taken = await store.takeUnread(id, 9);
    expect(new Map(taken.map(({ serial, otherBatch }) => [serial, otherBatch]))).toEqual(
      new Map([
        [1, others[2]],
        [2, others[2]],
        [3, null],
      ]),
    );
    await database.pool.query("delete from config_batch");
  });

  test("the service has work in batches that are read, run or have nodes on their way", async () => {
    const all = new Map<BatchState, number>();
    for (const state of batchStates) all.set(state, await add(state));
    const sending = await add("cancelled");
    await setNodes(sending, "confirmed", "sending", "sending");
    await setNodes(all.get("running")!, "sending", "waiting", "sending");
    expect((await store.findActive()).map(({ id }) => id)).toEqual([all.get("reading"), all.get("running"), sending]);
    expect((await store.findLeftBehind(sending, [3])).map(({ serial }) => serial)).toEqual([2]);
    await database.pool.query("delete from config_batch");
  });

  test("a turn has come at its moment, and the next one is that of the first who waits", async () => {
    const id = await add("running");
    await setNodes(id, "waiting", "waiting", "waiting");
    const notBefore = (...seconds: readonly number[]) =>
      database.pool.query(
        "update config_batch_node n set not_before = to_timestamp($2::float8 + s) from unnest($3::float8[]) with ordinality u (s, place) where batch_id = $1 and serial_number = place",
        [id, now, seconds],
      );
    await notBefore(20, 10, 30);
    expect(await store.takeDue(id, now)).toEqual({ nodes: [], nextAt: now + 10 });
    expect(await store.takeDue(id, now + 10)).toMatchObject({ nodes: [{ serial: 2 }], nextAt: now + 20 });
    await setNodes(id, "waiting", "confirmed", "waiting");
    await notBefore(0, 15, 30);
    expect(await store.takeDue(id, now + 12)).toMatchObject({ nodes: [{ serial: 1 }], nextAt: now + 30 });
    await store.stop(id, "why");
    expect(await store.takeDue(id, now + 90)).toEqual({ nodes: [], nextAt: null });
    await database.pool.query("delete from config_batch");
  });

  test("no more nodes come first than are to, and the others once these went well", async () => {
    const id = await add("running");
    await database.pool.query("update config_batch set first_wave = 2, at_once = 9, stop_percent = 0 where id = $1", [id]);
    const taken = async () => (await store.takeDue(id, now)).nodes.map(({ serial }) => serial);
    await setNodes(id, "sending", "waiting", "waiting");
    expect([await taken(), await taken()]).toEqual([[2], []]);
    await setNodes(id, "confirmed", "sending", "waiting");
    expect(await taken()).toEqual([]);
    await setNodes(id, "confirmed", "confirmed", "waiting");
    expect(await taken()).toEqual([3]);
    await setNodes(id, "confirmed", "confirmed", "confirmed");
    expect([await taken(), (await rowsOf(id)).batch]).toMatchObject([[], { state: "done", ended_at: new Date(now * 1000) }]);
    await database.pool.query("delete from config_batch");
  });

  test("the service is woken where it is switched on, and never later than it would run", async () => {
    const service = (name: string, at: number, isEnabled: boolean) =>
      database.pool.query(
        "insert into service (name, interval_seconds, next_run_at, is_enabled) values ($1, 5, to_timestamp($2), $3) on conflict (name) do update set next_run_at = excluded.next_run_at, is_enabled = excluded.is_enabled",
        [name, at, isEnabled],
      );
    const wake = async (isEnabled: boolean, next: number) => {
      await service("ConfigBatches", next, isEnabled);
      await service("Other", now + 60, true);
      await inOne((client) => wakeBatchService(client, now));
      const { rows } = await database.pool.query<{ at: number }>(
        "select extract(epoch from next_run_at)::float8 - $1 as at from service where name in ('ConfigBatches', 'Other') order by name",
        [now],
      );
      return rows.map(({ at }) => at);
    };
    expect([await wake(true, now + 5), await wake(true, now - 5), await wake(false, now + 5)]).toEqual([
      [0, 60],
      [-5, 60],
      [5, 60],
    ]);
  });
});

test("A-63 batches are listed newest first, a page of them, with their nodes counted by what became of each and where they are", async () => {
  const { pool } = database;
  const plans = { changes: [{ key: "np_hp", newValue: "50" }], reason: "why" };
  const seal = {
    openValues: (sealed: string) => [{ key: "np_hp", value: `opened${sealed}` }],
    openPlan: (id: number, serial: number) => ({ ...plans, ...(serial === 40_002 ? { place: { locationName: `Then ${id}` } } : {}) }),
  } as unknown as BatchSeal;
  const readModel = createConfigBatchesReadModel(pool, () => Promise.resolve(seal));
  await addNode(pool, 40_002, await addPlace(pool, "UTC"));
  await addNode(pool, 40_003, await addPlace(pool, "America/Denver"));
  const ids = [];
  for (let count = 0; count < batchesPerPage + 2; count++) ids.unshift(await add());
  await pool.query(
    "update config_batch_node set state = case serial_number when 1 then 'reading' when 2 then 'confirmed' else 'left' end, confirmed_count = serial_number, settled_at = to_timestamp(5), serial_number = serial_number + 40000 where batch_id = $1",
    [ids[0]],
  );
  const listed = await readModel.list(undefined);
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, batchesPerPage));
  expect((await readModel.list(ids[1])).map(({ id }) => id)).toEqual(ids.slice(2, batchesPerPage + 2));
  expect([listed[0], listed[1]?.counts]).toEqual([
    expect.objectContaining({
      id: ids[0],
      kind: "change",
      madeBy: "pat",
      madeTimestamp: now,
      readTimestamp: null,
      keys: ["np_hp"],
      values: [{ key: "np_hp", value: "opened" }],
      nodeCount: 3,
      counts: expect.objectContaining({ unread: 1, confirmed: 1, left: 1, waiting: 0 }),
    }),
    expect.objectContaining({ unread: 3, confirmed: 0 }),
  ]);
  expect(await readModel.find(ids[0]!)).toEqual(listed[0]);
  expect(await readModel.find(0)).toBeUndefined();
  const shared = { reason: "why", changes: [{ key: "np_hp", oldValue: null, newValue: "50" }], settledTimestamp: 5 };
  expect(await readModel.nodes(ids[0]!)).toEqual([
    { serialNumber: "40001", locationName: "", timezone: null, state: "unread", confirmedCount: 1, ...shared },
    { serialNumber: "40002", locationName: `Then ${ids[0]}`, timezone: "UTC", state: "confirmed", confirmedCount: 2, ...shared },
    { serialNumber: "40003", locationName: "Feed Pump 1", timezone: "America/Denver", state: "left", confirmedCount: 3, ...shared },
  ]);
  await pool.query("delete from config_batch");
  await pool.query("delete from node where serial_number in (40002, 40003)");
});
