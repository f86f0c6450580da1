import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWholeMapTurns } from "./whole-map-turns.ts";

/** A sixteenth of a second's rate. */
const large = 512 * 1_024;
let order: string[];
let inTurn: ReturnType<typeof createWholeMapTurns>;
const ask = async (sessionId: string, length = large) => {
  await inTurn(sessionId, async () => ({ body: { length } }));
  order.push(sessionId);
};
const after = async (ms: number) => (await vi.advanceTimersByTimeAsync(ms), order.splice(0));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  order = [];
  inTurn = createWholeMapTurns();
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
  for (const sessionId of ["a", "a", "d"]) void ask(sessionId);
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

test("of those who wait the session that had the fewest is next", async () => {
  for (const sessionId of ["rude", "polite"]) void ask(sessionId);
  await turns();
  for (let time = 0; time < 5; time++) {
    void ask("rude");
    await vi.advanceTimersByTimeAsync(100);
    await turns();
  }
  order = [];
  for (const sessionId of ["rude", "rude", "rude", "polite"]) void ask(sessionId);
  await turns();
  await vi.advanceTimersByTimeAsync(63);
  await turns();
  expect(order).toEqual(["rude", "polite"]);
});

test("a small map is soon followed by the next", async () => {
  for (const sessionId of ["a", "b"]) void ask(sessionId);
  await turns();
  order = [];
  for (const sessionId of ["a", "b", "a", "b"]) void ask(sessionId, large / 64);
  await vi.advanceTimersByTimeAsync(4);
  await turns();
  expect(order).toHaveLength(4);
});

// Who has gone would take the rate of those who are there, and memory without end.
test("of one session two wait at most: the one that has waited longest is refused, and its place is free", async () => {
  void ask("a");
  await turns();
  order = [];
  void ask("a");
  const outcomes = [1, 2, 3, 4].map((name) =>
    ask("a").then(
      () => `${name} sent`,
      (error: { status: number }) => `${name} ${error.status}`,
    ),
  );
  await turns();
  await vi.advanceTimersByTimeAsync(200);
  await turns();
  expect(await Promise.all(outcomes)).toEqual(["1 429", "2 429", "3 sent", "4 sent"]);
  expect(order).toHaveLength(3);
});

test("one that cannot be made fails by itself", async () => {
  void ask("a");
  await turns();
  const failing = inTurn("a", () => Promise.reject<{ body: string }>(new Error("not made")));
  await expect(failing).rejects.toThrow("not made");
  order = [];
  void ask("a");
  await vi.advanceTimersByTimeAsync(1);
  await turns();
  expect(order).toEqual(["a"]);
});
