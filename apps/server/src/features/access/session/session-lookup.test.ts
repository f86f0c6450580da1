import { beforeEach, expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createSessionLookup, type SessionLookup } from "./session-lookup.ts";
import type { SessionChanges, SessionRow } from "./session.store.ts";

let clock: ManualClock;
let lookup: SessionLookup;
let readings: { ids: string[]; answer: () => void }[];
/** With what each search for changes asked, and what it finds; undefined while it fails. */
let asked: (string | undefined)[];
let changes: SessionChanges | undefined;

/** What is in the database when it is read. */
let names: Map<string, string>;
const userIds = new Map(["a", "b", "c"].map((id, index) => [id, index + 1]));
beforeEach(() => {
  clock = createManualClock();
  readings = [];
  asked = [];
  changes = undefined;
  names = new Map([...userIds.keys()].map((id) => [id, id]));
  const findSessions = (ids: string[]) =>
    new Promise<Map<string, SessionRow>>((resolve) => {
      const rows = new Map(
        ids.flatMap((id) => (names.has(id) ? [[id, { id, userId: userIds.get(id), username: names.get(id)! } as SessionRow]] : [])),
      );
      readings.push({ ids, answer: () => resolve(rows) });
    });
  const findChanges = async (sinceXid: string | undefined) => {
    asked.push(sinceXid);
    if (!changes) throw new Error("the database is away");
    return changes;
  };
  lookup = createSessionLookup({ findSessions, findChanges }, clock, () => false);
});

/** The user's name of each, with the reading that they may cause answered. */
async function ask(...ids: string[]): Promise<(string | undefined)[]> {
  const before = readings.length;
  const found = Promise.all(ids.map((id) => lookup.find(id, false)));
  await Promise.race([found, vi.waitUntil(() => readings.length > before)]);
  for (const { answer } of readings) answer();
  return (await found).map((row) => row?.username);
}
const noChange = (): SessionChanges => ({ xid: "7", timeline: "00000001", userIds: [] });

/** Changes are searched for, and `a` and `b` have been read since. */
async function follow(): Promise<void> {
  changes = noChange();
  await ask("a", "b");
  clock.advance(1.1);
  await ask("a", "b");
  readings = [];
}

test("a row is trusted for a second, and calls of one moment share a reading", async () => {
  expect(await ask("a", "b", "a", "x")).toEqual(["a", "b", "a", undefined]);
  names.set("a", "renamed");
  clock.advance(599 / 1000);
  expect(await ask("a", "x")).toEqual(["a", undefined]);
  expect(readings.map(({ ids }) => ids)).toEqual([["a", "b", "x"]]);
  clock.advance(401 / 1000);
  expect(await ask("a", "x")).toEqual(["renamed", undefined]);
  expect(readings[1]!.ids).toEqual(["a", "x"]);
});

test("a row is trusted on while no change of its user is found, for half a minute, and what is not there for a second", async () => {
  await follow();
  expect(await ask("x")).toEqual([undefined]);
  for (let step = 0; step < 59; step++) {
    clock.advance(0.5);
    await ask("a");
  }
  expect(readings.map(({ ids }) => ids)).toEqual([["x"]]);
  clock.advance(0.5);
  expect(await ask("a", "x")).toEqual(["a", undefined]);
  expect(readings.map(({ ids }) => ids)).toEqual([["x"], ["a", "x"]]);
});

test("changes are searched for every 0.4 s as long as someone calls, one search at a time, each since the one before", async () => {
  await follow();
  asked = [];
  clock.advance(399 / 1000);
  await ask("a");
  expect(asked).toEqual([]);
  clock.advance(1 / 1000);
  await ask("a", "b", "a");
  expect(asked).toEqual(["7"]);
  changes = { ...noChange(), xid: "9" };
  clock.advance(0.4);
  await ask("a");
  clock.advance(0.4);
  await ask("a");
  expect(asked).toEqual(["7", "7", "9"]);
});

test("SEC-01 a user whose sessions or account changed is read anew, others are not", async () => {
  await follow();
  names.set("a", "renamed");
  changes = { ...noChange(), userIds: [userIds.get("a")!] };
  clock.advance(0.4);
  await ask("b");
  expect(await ask("a", "b")).toEqual(["renamed", "b"]);
  expect(readings.map(({ ids }) => ids)).toEqual([["a"]]);
});

test("SEC-01 trust ends a second after the last search for changes that did not fail", async () => {
  await follow();
  changes = undefined;
  for (let step = 0; step < 2; step++) {
    clock.advance(0.49);
    expect(await ask("a")).toEqual(["a"]);
  }
  expect(readings).toEqual([]);
  names.delete("a");
  clock.advance(0.02);
  expect(await ask("a")).toEqual([undefined]);
});

test.each([
  ["another history of the database, whose numbers say nothing", { ...noChange(), timeline: "00000002" }],
  ["a read-only replica, which has no numbers", { ...noChange(), timeline: null }],
])("SEC-01 what was read before %s is trusted for its second only", async (_, other) => {
  await follow();
  clock.advance(0.9);
  changes = other;
  await ask("a");
  names.delete("a");
  clock.advance(0.1);
  expect(await ask("a")).toEqual([undefined]);
});

test("SEC-01 what was read before changes were searched for, or while the first search ran, is trusted for its second only", async () => {
  changes = noChange();
  await ask("a");
  names.delete("a");
  clock.advance(0.6);
  await ask("b");
  clock.advance(0.4);
  expect(await ask("a")).toEqual([undefined]);
});

test("SEC-01 what is forgotten or changes while it is read is read anew: an ended session is not trusted for another second", async () => {
  await follow();
  clock.advance(31);
  const forgotten = lookup.find("a", false);
  await vi.waitUntil(() => readings.length === 1);
  lookup.forget(["a"]);
  readings[0]!.answer();
  expect((await forgotten)?.username).toBe("a");
  expect(await ask("a")).toEqual(["a"]);
  expect(readings).toHaveLength(2);

  clock.advance(31);
  const changed = lookup.find("b", false);
  await vi.waitUntil(() => readings.length === 3);
  changes = { ...noChange(), userIds: [userIds.get("b")!] };
  clock.advance(0.4);
  await ask("a");
  await changed;
  names.delete("b");
  expect(await ask("b")).toEqual([undefined]);
});

test("A-63 a failure that is no absence of the database is reported as it is", async () => {
  const failing = { findSessions: () => Promise.reject(new Error("no such column")), findChanges: async () => noChange() };
  await expect(createSessionLookup(failing, clock, () => false).find("a", true)).rejects.toThrow("no such column");
});

test("A-63 while the database is away a row of the last fifteen minutes will do, for who may read old ones", async () => {
  let isAway = false;
  const rows = new Map([["a", { id: "a", userId: 1, username: "a" } as SessionRow]]);
  const away = createSessionLookup({ findSessions: async () => rows, findChanges: async () => noChange() }, clock, () => isAway);
  await away.find("a", true);
  isAway = true;
  clock.advance(15 * 60 - 1);
  expect((await away.find("a", true))?.username).toBe("a");
  await expect(away.find("a", false)).rejects.toMatchObject({ status: 503 });
  clock.advance(1);
  await expect(away.find("a", true)).rejects.toMatchObject({ status: 503 });
});
