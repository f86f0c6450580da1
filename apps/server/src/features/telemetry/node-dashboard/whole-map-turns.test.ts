import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWholeMapTurns } from "./whole-map-turns.ts";

/** A sixteenth of a second's rate. */
const large = 512 * 1_024;
let order: string[];
let take: ReturnType<typeof createWholeMapTurns>;
const ask = async (sessionId: string, bytes = large) => void (await take(sessionId, bytes), order.push(sessionId));
const after = async (ms: number) => (await vi.advanceTimersByTimeAsync(ms), order.splice(0));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  order = [];
  take = createWholeMapTurns();
});
afterEach(() => void vi.useRealTimers());

/** Turns of the loop are real ones. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((go) => void setImmediate(go));
};

test("whoever asks for the first time gets it at once, whoever else asks", async () => {
  for (const sessionId of ["a", "b", "c"]) void ask(sessionId);
  await turns();
  expect(order.splice(0)).toEqual(["a", "b", "c"]);
  for (const sessionId of ["a", "a", "a", "d"]) void ask(sessionId);
  await turns();
  expect(order).toContain("d");
});

test("who asks again within half a minute shares a rate with all who do so; later it is the first time again", async () => {
  for (const sessionId of ["a", "b"]) void ask(sessionId);
  await turns();
  order = [];
  for (const sessionId of ["a", "a", "b"]) void ask(sessionId);
  await turns();
  // The first one at once, as no one was before it.
  expect(order.splice(0)).toEqual(["a"]);
  expect(await after(62)).toEqual([]);
  expect(await after(1).then(async (early) => (await turns(), [...early, ...order.splice(0)]))).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  await turns();
  expect(order.splice(0)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(31_000);
  for (const sessionId of ["a", "b"]) void ask(sessionId);
  await turns();
  expect(order).toEqual(["a", "b"]);
});

test("of those who wait the session that had the fewest is next, however many another one asks for", async () => {
  for (const sessionId of ["rude", "polite"]) void ask(sessionId);
  await turns();
  for (let time = 0; time < 5; time++) {
    void ask("rude");
    await vi.advanceTimersByTimeAsync(100);
    await turns();
  }
  order = [];
  for (let time = 0; time < 50; time++) void ask("rude");
  void ask("polite");
  await turns();
  await vi.advanceTimersByTimeAsync(63);
  await turns();
  expect(order).toEqual(["rude", "polite"]);
});

test("a small map is soon followed by the next", async () => {
  void ask("a");
  await turns();
  order = [];
  for (let time = 0; time < 10; time++) void ask("a", large / 64);
  await vi.advanceTimersByTimeAsync(12);
  await turns();
  expect(order.length).toBeGreaterThan(9);
});
