import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "#api/client.ts";
import { ApiError } from "#lib/api-error.ts";
import { answer, fullFleet, node } from "./fleet.fixture.ts";
import { createFleetPoller } from "./fleet-poller.ts";
import { createFleetStore } from "./fleet-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function setUp() {
  const store = createFleetStore();
  const call = vi.fn<(endpoint: unknown, input: { query: { since?: string } }) => Promise<NodeDashboard>>(async () =>
    fullFleet(node(10001)),
  );
  const poller = createFleetPoller(call as unknown as Client, store);
  return { store, call, poller, sinces: () => call.mock.calls.map(([, { query }]) => query.since) };
}

test("DSH-02 asks every 2 s: first for everything, then for what changed", async () => {
  const { call, poller, sinces, store } = setUp();
  poller.start();
  await vi.advanceTimersByTimeAsync(0);
  call.mockImplementation(async () => answer({ "10001": { eventCount: 4 } }, { revision: "6" }));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sinces()).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(2_001);
  expect(sinces()).toEqual([undefined, "5", "6"]);
  expect([store.records().get("10001")?.node.eventCount, poller.state()]).toMatchObject([4, { hasLoaded: true, failure: undefined }]);
  poller.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(call).toHaveBeenCalledTimes(3);
});

test("DSH-02 a large answer is applied in parts, and is given up when a newer one is requested; a poll like the last one draws no screen", async () => {
  const { call, poller, store } = setUp();
  const fleet = Array.from({ length: 5_000 }, (_, index) => node(10_001 + index));
  call.mockImplementation(async () => fullFleet(...fleet));
  const onState = vi.fn<() => void>();
  poller.subscribe(onState);
  poller.start();
  await Promise.resolve();
  expect([store.records().size > 0, store.records().size < 5_000, store.revision()]).toEqual([true, true, undefined]);
  call.mockImplementation(async () => fullFleet(node(10_001)));
  poller.pollNow();
  await vi.advanceTimersByTimeAsync(100);
  expect([...store.records().keys()]).toEqual(["10001"]);
  expect(onState).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([call.mock.calls.length, onState.mock.calls.length]).toEqual([3, 1]);
  poller.stop();
});

test("an answer that cannot be applied is not built upon: the next one is of everything", async () => {
  const { poller, sinces, store } = setUp();
  poller.start();
  await vi.advanceTimersByTimeAsync(100);
  vi.spyOn(store, "applyInParts").mockRejectedValueOnce(new TypeError("odd answer"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(poller.state().failure).toBeDefined();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sinces().slice(0, 3)).toEqual([undefined, "5", undefined]);
  expect(poller.state().failure).toBeUndefined();
  poller.stop();
});

test("after failures it waits longer each time, up to 30 s, and returns to 2 s", async () => {
  const { call, poller } = setUp();
  call.mockImplementation(() => Promise.reject(new ApiError(0, "NETWORK", "No way")));
  poller.start();
  const waits: number[] = [];
  for (let seconds = 0; waits.length < 6; seconds++) {
    const before = call.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1_000);
    if (call.mock.calls.length > before) waits.push(seconds + 1);
  }
  expect(waits.map((at, index) => at - (waits[index - 1] ?? 0))).toEqual([4, 8, 16, 30, 30, 30]);
  expect(poller.state()).toMatchObject({ failure: "No way", hasLoaded: false });
  call.mockImplementation(async () => answer({}));
  await vi.advanceTimersByTimeAsync(30_000);
  const calls = call.mock.calls.length;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([call.mock.calls.length - calls, poller.state().failure]).toEqual([1, undefined]);
  poller.stop();
});

test("a hidden tab rests and catches up when it is shown", async () => {
  const { call, poller } = setUp();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  poller.start();
  await vi.advanceTimersByTimeAsync(0);
  hidden.mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(call).toHaveBeenCalledTimes(1);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(call).toHaveBeenCalledTimes(2);
  poller.stop();
});

test("a late answer does not undo a newer one", async () => {
  const { call, poller, store } = setUp();
  const late = Promise.withResolvers<NodeDashboard>();
  call.mockReturnValueOnce(late.promise);
  poller.start();
  poller.pollNow();
  await vi.advanceTimersByTimeAsync(0);
  late.resolve(fullFleet(node(10009)));
  await vi.advanceTimersByTimeAsync(0);
  expect([...store.records().keys()]).toEqual(["10001"]);
  poller.stop();
});
