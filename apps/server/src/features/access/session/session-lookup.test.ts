import { beforeEach, expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createSessionLookup, type SessionLookup } from "./session-lookup.ts";
import type { SessionRow } from "./session.store.ts";

let clock: ManualClock;
let lookup: SessionLookup;
let readings: { ids: string[]; answer: () => void }[];

/** What is in the database when it is read. */
let names: Map<string, string>;
beforeEach(() => {
  clock = createManualClock();
  readings = [];
  names = new Map(["a", "b", "c"].map((id) => [id, id]));
  const findSessions = (ids: string[]) =>
    new Promise<Map<string, SessionRow>>((resolve) => {
      const rows = new Map(ids.flatMap((id) => (names.has(id) ? [[id, { id, username: names.get(id)! } as SessionRow]] : [])));
      readings.push({ ids, answer: () => resolve(rows) });
    });
  lookup = createSessionLookup({ findSessions }, clock, () => false);
});

/** The user's name of each, with the reading that they may cause answered. */
async function ask(...ids: string[]): Promise<(string | undefined)[]> {
  const before = readings.length;
  const found = Promise.all(ids.map((id) => lookup.find(id, false)));
  await Promise.race([found, vi.waitUntil(() => readings.length > before)]);
  for (const { answer } of readings) answer();
  return (await found).map((row) => row?.username);
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

test("those that poll are read together before their trust ends, so that no one of them waits", async () => {
  await ask("a", "b", "c");
  await ask("a", "b");
  names.set("b", "renamed");
  clock.advance(700 / 1000);
  expect(await ask("a")).toEqual(["a"]);
  expect(readings.map(({ ids }) => ids)).toEqual([
    ["a", "b", "c"],
    ["a", "b"],
  ]);
  clock.advance(500 / 1000);
  expect(await ask("b")).toEqual(["renamed"]);
  expect(readings).toHaveLength(2);
  // Of those that do not come again nothing is read.
  for (let seconds = 0; seconds < 8; seconds++) {
    clock.advance(700 / 1000);
    await ask("a");
  }
  expect(readings.at(-1)!.ids).toEqual(["a"]);
});

test("what is forgotten while it is read is read anew: an ended session is not trusted for another second", async () => {
  await ask("a");
  await ask("a");
  clock.advance(700 / 1000);
  expect((await lookup.find("a", false))?.username).toBe("a");
  names.delete("a");
  lookup.forget(["a"]);
  readings.at(-1)!.answer();
  expect(await ask("a")).toEqual([undefined]);
  expect(readings).toHaveLength(3);
});
