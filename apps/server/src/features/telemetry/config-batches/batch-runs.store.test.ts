import { batchStates, type BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createBatchRunsStore, TakenOver, type BatchRunsStore, type SendingNode } from "./batch-runs.store.ts";
import { insertBatch, insertBatchNodes } from "./config-batches.store.ts";

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
  test.each(turns)("is not %s", async (_, act) => {
    const id = await add("running");
    await database.pool.query("update config_batch_node set state = 'waiting' where batch_id = $1", [id]);
    const { nodes } = await store.takeDue(id, now);
    const [node] = nodes as [SendingNode];
    const turn = { batchId: id, serial: node.serial, commandId: node.commandId };
    await expect(act({ ...turn, commandId: crypto.randomUUID() })).rejects.toThrow(TakenOver);
    await act(turn);
    await database.pool.query("update config_batch_node set state = 'confirmed' where batch_id = $1", [id]);
    await expect(act(turn)).rejects.toThrow(TakenOver);
  });
});
