import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createNodeGroupsStore, groupCount, type NodeGroupsStore, type WorkerState } from "./node-groups.store.ts";

const [one, other] = [randomUUID(), randomUUID()];
let database: TestDatabase;
let store: NodeGroupsStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createNodeGroupsStore(database.pool);
});
afterAll(() => database.stop());
beforeEach(async () => {
  for (const worker of [one, other]) {
    const { rows } = await database.pool.query<{ name: string }>("select name from node_group where worker = $1", [worker]);
    await store.release(
      worker,
      rows.map(({ name }) => name),
    );
    await store.leave(worker);
  }
});

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `n${String(from + index).padStart(2, "0")}`);
const lives = (id: string, change: Partial<WorkerState> = {}) =>
  store.renew({ id, host: "host", canListen: true, held: [], listening: [], ...change });
/** Of groups that someone holds: whose they are, whether they listen, and whether that still counts. */
const held = async () => {
  const { rows } = await database.pool.query<{ name: string; worker: string; is_listening: boolean; isValid: boolean }>(
    `select name, worker, is_listening, expires_at > now() as "isValid" from node_group where worker is not null order by name`,
  );
  return rows.map(({ name, worker, is_listening, isValid }) => [name, worker === one ? "one" : "other", is_listening, isValid]);
};
/** As if so long had passed. */
const lapse = (seconds: number) =>
  Promise.all(
    ["node_group", "ingest_worker"].map((table) =>
      database.pool.query(`update ${table} set expires_at = expires_at - make_interval(secs => $1)`, [seconds]),
    ),
  );

test("A-63 groups are taken in their order, as many as are asked for, and the host's with them; what is held is not taken", async () => {
  const taken = await store.take(one, 2);
  expect(taken.map(({ name, isLost }) => [name, isLost])).toEqual([
    ["n00", false],
    ["n01", false],
    ["host", false],
  ]);
  expect((await store.take(other, 1)).map(({ name }) => name)).toEqual(["n02"]);
  expect(await held()).toEqual([
    ["host", "one", false, true],
    ["n00", "one", false, true],
    ["n01", "one", false, true],
    ["n02", "other", false, true],
  ]);
  await lapse(4);
  expect(await store.take(other, 0)).toEqual([]);
  await lapse(1.1);
  // Whoever had them finds another epoch.
  const again = await store.take(other, 2);
  expect(again.map(({ name, epoch }) => [name, epoch - (taken.find((each) => each.name === name)?.epoch ?? 0)])).toEqual([
    ["n00", 1],
    ["n01", 1],
    ["host", 1],
  ]);
});

test("A-63 what a worker renews is its own for longer, listens as it says, and what it does not name is free at once", async () => {
  await store.take(one, 3);
  await store.take(other, 1);
  await lapse(3);
  const { kept } = await lives(one, { held: ["n00", "n01", "n03", "host"], listening: ["n01", "n03"] });
  expect([...kept].toSorted()).toEqual(["host", "n00", "n01"]);
  await lapse(3);
  // Another one's is neither renewed nor given away.
  expect(await held()).toEqual([
    ["host", "one", false, true],
    ["n00", "one", false, true],
    ["n01", "one", true, true],
    ["n03", "other", false, false],
  ]);
  await lives(one, { held: ["n00", "n01"], listening: ["n00"] });
  expect((await held()).map(([name, , isListening]) => [name, isListening])).toEqual([
    ["n00", true],
    ["n01", false],
    ["n03", false],
  ]);
  await store.take(other, 0);
  // What was given back and what is taken over listens no more.
  await store.release(one, ["n00", "n03"]);
  expect((await held()).map(([name, worker]) => [name, worker])).toEqual([
    ["host", "other"],
    ["n01", "one"],
    ["n03", "other"],
  ]);
  await lives(one, { held: ["n01"], listening: ["n01"] });
  await lapse(6);
  await store.take(other, 2);
  expect((await held()).filter(([, , isListening]) => isListening)).toEqual([]);
});

test("A-63 shares are even among those that live and reach the broker; all listen when each group has someone who does", async () => {
  expect(await lives(one)).toEqual({ kept: new Set(), fairShare: groupCount, areAllListening: false });
  expect((await lives(other, { canListen: false })).fairShare).toBe(0);
  expect((await lives(one)).fairShare).toBe(groupCount);
  expect((await lives(other)).fairShare).toBe(groupCount / 2);
  const third = randomUUID();
  expect((await lives(third)).fairShare).toBe(22);
  expect(await store.leave(third)).toBe(false);
  await lives(other, { canListen: false });
  expect((await lives(one, { canListen: false })).fairShare).toBeUndefined();
  // A worker that does not reach the broker is no other one.
  expect(await store.leave(one)).toBe(true);
  await lives(other);
  await lapse(6);
  expect((await lives(one)).fairShare).toBe(groupCount);
  expect(await store.leave(one)).toBe(true);
  await store.take(one, groupCount);
  const all = names(0, groupCount);
  expect((await lives(one, { held: all, listening: all.slice(1) })).areAllListening).toBe(false);
  expect((await lives(one, { held: all, listening: all })).areAllListening).toBe(true);
  await lapse(6);
  expect((await lives(other)).areAllListening).toBe(false);
});

test("A-63 a worker is known by its newest state, and forgotten an hour after it was last heard of", async () => {
  const workers = async () =>
    (
      await database.pool.query<object>(
        "select id, host, can_listen, expires_at > now() as lives from ingest_worker where id = any ($1) order by host",
        [[one, other]],
      )
    ).rows.map((row) => Object.values(row));
  await lives(one, { host: "a", canListen: false });
  await lapse(6);
  await lives(one, { host: "a" });
  expect(await workers()).toEqual([[one, "a", true, true]]);
  await lapse(3_604);
  await lives(other, { host: "b" });
  expect(await workers()).toEqual([
    [one, "a", true, false],
    [other, "b", true, true],
  ]);
  await lapse(2);
  await lives(other, { host: "b" });
  expect(await workers()).toEqual([[other, "b", true, true]]);
});

test("A-63 times of STATE only grow, also where the clock that is asked for is behind", async () => {
  const first = await store.nextStateTime();
  const second = await store.nextStateTime(first + 90_000);
  expect([second, await store.nextStateTime(), await store.nextStateTime(first)]).toEqual([first + 90_000, first + 90_001, first + 90_002]);
});
