import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createNodeWatchStore, type NodeWatchStore } from "./node-watch.store.ts";
import type { WatchedEvent } from "./watched-event.ts";

let database: TestDatabase;
let store: NodeWatchStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createNodeWatchStore(database.pool);
});
afterAll(() => database.stop());
beforeEach(() => database.pool.query("delete from node_watch; delete from node_watch_event"));

const note = (...serials: number[]) =>
  store.write(
    serials.map((serial) => ({ serial, atMs: 5, kind: "message", topic: "a/b", qos: 1, detail: "", payload: new Uint8Array([serial]) })),
  );
const watched = async () =>
  (await database.pool.query<{ serial: number }>("select serial_number as serial from node_watch order by 1")).rows.map(
    ({ serial }) => serial,
  );
const eventsOf = async (serial: number, after = "0") => (await store.readAfter(serial, after)).map(({ payload }) => [...payload!]);

test("A-63 a watch that is over is not taken, and goes with its events when another one begins", async () => {
  await store.begin(1, 3_600);
  await store.begin(2, -1);
  await note(1, 2, 2);
  expect(await store.takeWatches()).toEqual([1]);
  expect([await watched(), await eventsOf(2)]).toEqual([
    [1, 2],
    [[2], [2]],
  ]);
  await store.begin(3, 3_600);
  expect([await watched(), await eventsOf(1), await eventsOf(2)]).toEqual([[1, 3], [[1]], []]);
  expect(new Set(await store.takeWatches())).toEqual(new Set([1, 3]));
});

test("A-63 a watch that begins anew is not taken yet and has nothing of the one before, others keep theirs", async () => {
  await store.begin(1, 3_600);
  await store.begin(2, 3_600);
  expect([await store.isTaken(1), await store.isTaken(9)]).toEqual([false, false]);
  await store.takeWatches();
  await note(1, 2);
  expect([await store.isTaken(1), await store.isTaken(2)]).toEqual([true, true]);
  await store.begin(1, 3_600);
  expect([await store.isTaken(1), await store.isTaken(2)]).toEqual([false, true]);
  expect([await eventsOf(1), await eventsOf(2)]).toEqual([[], [[2]]]);
});

test("A-63 the end of a watch is that of its events alone; they are read on from one to the next, five hundred at a time", async () => {
  await store.begin(1, 3_600);
  await store.begin(2, 3_600);
  await note(2, ...Array.from({ length: 501 }, () => 1));
  const events = await store.readAfter(1, "0");
  expect([events.length, (await store.readAfter(1, events.at(-1)!.id)).length]).toEqual([500, 1]);
  await store.end(1);
  expect([await watched(), await eventsOf(1), await eventsOf(2)]).toEqual([[2], [], [[2]]]);
});

test("A-63 what is written of an event is read as it was", async () => {
  await store.begin(1, 3_600);
  const message: WatchedEvent = { atMs: 1_800_000_000_001, kind: "message", topic: "a/b", qos: 1, detail: "c", payload: Buffer.from("d") };
  const refused: WatchedEvent = { ...message, atMs: 1_800_000_000_002, kind: "refused", qos: 0, payload: null };
  await store.write([message, refused].map((event) => ({ serial: 1, ...event })));
  expect(await store.readAfter(1, "0")).toEqual([message, refused].map((event) => ({ id: expect.anything(), ...event })));
});
