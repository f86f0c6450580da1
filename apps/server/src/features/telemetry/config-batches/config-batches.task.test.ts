import type { Pool } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import type { ActiveBatch, BatchRunsStore, UnreadNode } from "./batch-runs.store.ts";
import type { BatchSeal } from "./batch-seal.ts";
import { createConfigBatchesTask } from "./config-batches.task.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Nothing is set aside. */
const pool = { query: async () => ({ rows: [{ failedCount: 0, waitingCount: 0, hasPlatformFailed: false, nextTryAt: null }] }) };
const seal = { openPlan: () => ({ changes: [], reason: "" }), sealPlan: () => "" } as unknown as BatchSeal;
const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
const batchOf = (id: number): ActiveBatch => ({ id, state: "reading", startedBy: "", hash: "" });

/** One node of the first of two batches is read while the look at the second one goes on, or afterwards. */
async function looksWhen(isReadAfterwards: boolean): Promise<{ wait: (ms: number) => Promise<number>; end: () => Promise<void> }> {
  let looks = 0;
  let left = [{ serial: 1, sealed: "", isDecommissioned: true, otherBatch: null }] as UnreadNode[];
  const reading = Promise.withResolvers<void>();
  const aborter = new AbortController();
  const store: Partial<BatchRunsStore> = {
    findActive: async () => (looks++, [batchOf(1), batchOf(2)]),
    freeReading: async (id) => {
      if (id !== 2 || looks > 1 || isReadAfterwards) return;
      reading.resolve();
      await turnOfLoop();
    },
    takeUnread: async (id) => (id === 1 ? left.splice(0) : []),
    findPlace: async () => ({ stay: null, locationName: "" }),
    writeRead: () => reading.promise,
    findPlans: async () => undefined,
  };
  const task = createConfigBatchesTask({
    pool: pool as unknown as Pool,
    store: store as BatchRunsStore,
    seal: async () => seal,
    openNodes: () => ({ values: {} as never, commands: { stop: async () => undefined } }),
    clock: createManualClock(),
    log: silentLog,
  });
  const running = task.run(aborter.signal);
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
  left = [];
  if (isReadAfterwards) reading.resolve();
  return {
    async wait(ms) {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 20; turn++) await turnOfLoop();
      return looks;
    },
    async end() {
      let isOver = false;
      void running.then(() => (isOver = true));
      aborter.abort();
      for (let turn = 0; turn < 20; turn++) await turnOfLoop();
      expect(isOver).toBe(true);
    },
  };
}

test.each([
  ["while batches are looked at", false],
  ["afterwards", true],
])("A-63 a node that is read %s is followed by the next look after 20 ms, not after half a second", async (_, isReadAfterwards) => {
  const { wait, end } = await looksWhen(isReadAfterwards);
  expect([await wait(0), await wait(19), await wait(1)]).toEqual([1, 1, 2]);
  await end();
});

test("A-63 an order to stop cuts the pause between two looks short", async () => {
  const { wait, end } = await looksWhen(false);
  expect(await wait(19)).toBe(1);
  await end();
});
