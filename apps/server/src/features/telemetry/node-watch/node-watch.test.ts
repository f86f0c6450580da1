import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import type { NodeWatchStore } from "./node-watch.store.ts";
import { createNodeWatch, type NodeWatch } from "./node-watch.ts";
import type { WatchedEvent } from "./watched-event.ts";

const clock = createManualClock();
let serials: number[];
let written: (WatchedEvent & { serial: number })[];
let logged: string[];
let isAway: boolean;
let watch: NodeWatch;
let passedOn: unknown[][];
let submit: ReturnType<NodeWatch["tap"]>;

beforeEach(() => {
  vi.useFakeTimers();
  [serials, written, logged, passedOn, isAway] = [[10_001], [], [], [], false];
  const store: Partial<NodeWatchStore> = {
    takeWatches: () => Promise.resolve(serials),
    write: (events) => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(void written.push(...events))),
  };
  watch = createNodeWatch({ store: store as NodeWatchStore, clock, limitedLog: (level, key) => void logged.push(`${level} ${key}`) });
  submit = watch.tap((...message) => void passedOn.push(message));
  watch.start();
});
afterEach(async () => {
  await watch.stop();
  vi.useRealTimers();
});

const settle = () => undefined;
const send = (serial: number, payload: Uint8Array = new Uint8Array([1]), isAcknowledged = true) =>
  submit(`spBv1.0/n01/NDATA/${serial}/20001`, payload, isAcknowledged, settle);
const kept = () => written.map(({ serial, kind, qos, payload }) => [serial, kind, qos, payload?.length ?? null]);

test("what watched nodes send is kept as it was, and all of it is passed on", async () => {
  send(10_001);
  await vi.advanceTimersByTimeAsync(1_000);
  const payload = new Uint8Array([7, 8]);
  send(10_001, payload);
  send(10_001, payload, false);
  send(10_002, payload);
  submit("no/topic", payload, true, settle);
  watch.note("10001", { kind: "refused", topic: "a\u0000b", qos: 0, detail: "why", payload: null });
  // The buffer is used for the next message.
  payload.fill(0);
  await vi.advanceTimersByTimeAsync(250);
  const event = { serial: 10_001, atMs: clock.now(), kind: "message", topic: "spBv1.0/n01/NDATA/10001/20001", detail: "" };
  expect(written).toEqual([
    { ...event, qos: 1, payload: new Uint8Array([7, 8]) },
    { ...event, qos: 0, payload: new Uint8Array([7, 8]) },
    { ...event, kind: "refused", topic: expect.not.stringContaining("\u0000"), qos: 0, detail: "why", payload: null },
  ]);
  expect(passedOn.map(([topic]) => String(topic).split("/")[3])).toEqual(["10001", "10001", "10001", "10002", undefined]);
});

test("a node that is not watched any more is not kept, and counts from nothing when it is watched again", async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  for (let count = 0; count < 20_000; count++) send(10_001);
  serials = [];
  await vi.advanceTimersByTimeAsync(1_000);
  send(10_001);
  serials = [10_001];
  await vi.advanceTimersByTimeAsync(1_000);
  send(10_001);
  await vi.advanceTimersByTimeAsync(250);
  expect([written.length, written.every(({ kind }) => kind === "message")]).toEqual([20_001, true]);
});

test("of more than 20,000 events of a watch, and of more than 32 MiB, the end is noted and nothing more is kept", async () => {
  serials = [10_001, 10_002];
  await vi.advanceTimersByTimeAsync(1_000);
  for (let count = 0; count < 20_005; count++) send(10_001);
  const half = new Uint8Array(16 * 1024 * 1024);
  for (let count = 0; count < 5; count++) send(10_002, half);
  // It goes on being watched: what was kept of it counts.
  await vi.advanceTimersByTimeAsync(1_000);
  send(10_001);
  await vi.advanceTimersByTimeAsync(250);
  expect(kept().slice(19_999)).toEqual([
    [10_001, "message", 1, 1],
    [10_001, "dropped", 1, null],
    [10_002, "message", 1, half.length],
    [10_002, "message", 1, half.length],
    [10_002, "dropped", 1, null],
  ]);
});

test("what could not be written is said, and what comes later is kept", async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  isAway = true;
  send(10_001);
  await vi.advanceTimersByTimeAsync(250);
  isAway = false;
  send(10_001, new Uint8Array(3));
  await vi.advanceTimersByTimeAsync(250);
  expect([kept(), logged]).toEqual([[[10_001, "message", 1, 3]], ["warn node-watch"]]);
});

test("once it is stopped nothing is written any more", async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  await watch.stop();
  send(10_001);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written).toEqual([]);
});
