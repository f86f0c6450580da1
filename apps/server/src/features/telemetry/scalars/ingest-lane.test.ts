import { describe, expect, test } from "vitest";
import { createIngestLane, type IngestLaneOptions } from "./ingest-lane.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import { LostGroupError } from "./lost-group-error.ts";
import { bareEntry } from "./settled-entry.ts";
import { readTelemetry } from "./telemetry.ts";

/** A lane over a list; the entry's serial is its name. */
function createTestLane(options: Partial<IngestLaneOptions> = {}) {
  const written: number[] = [];
  const quarantined: number[] = [];
  const settled = new Map<number, Error | undefined>();
  const batches: number[] = [];
  const lane = createIngestLane({
    write: (entries) => {
      batches.push(entries.length);
      written.push(...entries.map(({ serial }) => serial));
      return Promise.resolve();
    },
    isOutage: (error) => (error as Error).message === "away",
    noteFailure: () => undefined,
    quarantine: (entry) => {
      quarantined.push(entry.serial);
      return Promise.resolve();
    },
    betweenWrites: () => Promise.resolve(),
    ...options,
  });
  const add = (serial: number, hold?: GroupHold) => {
    const settle = (error?: Error) => void settled.set(serial, error);
    lane.add(bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: 0, hold, settle }, serial, []));
  };
  const addLive = (serial: number, isHistorical = false) => {
    const settle = (error?: Error) => void settled.set(serial, error);
    const readings = [{ atMs: 0, isHistorical, values: [] }];
    lane.add({
      ...bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: 0, hold: undefined, settle }, serial, []),
      telemetry: { ...noTelemetry, readings },
    });
  };
  return { lane, add, addLive, written, quarantined, settled, batches };
}

const noTelemetry = readTelemetry([], { defaultMs: 0, nowMs: 0, oldestKeptMs: 0 });

describe("a lane", () => {
  test("waits and reports when a lock stops it that no node's row explains, and refuses nothing for it", async () => {
    let isHeld = true;
    const failures: unknown[] = [];
    const written: number[] = [];
    const { add, settled, quarantined } = createTestLane({
      write(entries) {
        if (isHeld) return Promise.reject(new Error("locked"));
        written.push(...entries.map(({ serial }) => serial));
        return Promise.resolve();
      },
      locked: { isBlame: (error) => (error as Error).message === "locked", find: () => Promise.resolve(new Set<number>()) },
      noteFailure: (error) => failures.push(error),
    });
    add(1);
    add(2);
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    isHeld = false;
    await expect.poll(() => settled.size).toBe(2);
    expect({ written, quarantined }).toEqual({ written: [1, 2], quarantined: [] });
  });

  test("writes in order, what comes meanwhile in the next batch", async () => {
    const { add, written, batches, settled } = createTestLane();
    for (let serial = 0; serial < 100; serial++) add(serial);
    await expect.poll(() => settled.size).toBe(100);
    expect(written).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(batches).toEqual([100]);
  });

  test("takes at most so many at once", async () => {
    const { add, batches, settled } = createTestLane({ maxBatch: 40 });
    for (let serial = 0; serial < 100; serial++) add(serial);
    await expect.poll(() => settled.size).toBe(100);
    expect(batches).toEqual([40, 40, 20]);
  });

  test("finds the one entry that is refused, and spares the others", async () => {
    const stored: number[] = [];
    const { add, quarantined, settled } = createTestLane({
      write: (entries) => {
        if (entries.some(({ serial }) => serial === 37)) return Promise.reject(new Error("refused"));
        stored.push(...entries.map(({ serial }) => serial));
        return Promise.resolve();
      },
    });
    for (let serial = 0; serial < 100; serial++) add(serial);
    await expect.poll(() => settled.size).toBe(100);
    expect(quarantined).toEqual([37]);
    expect(stored).toEqual(Array.from({ length: 100 }, (_, index) => index).filter((serial) => serial !== 37));
    expect([...settled.values()].every((error) => error === undefined)).toBe(true);
  });

  test("tries again during an outage, and settles nothing before it has succeeded", async () => {
    let attempts = 0;
    const { add, settled } = createTestLane({
      write: () => (++attempts < 3 ? Promise.reject(new Error("away")) : Promise.resolve()),
    });
    add(1);
    await expect.poll(() => attempts).toBe(2);
    expect(settled.size).toBe(0);
    await expect.poll(() => settled.get(1) === undefined && settled.has(1)).toBe(true);
    expect(attempts).toBe(3);
  });

  test("gives up when it is asked to, with the error", async () => {
    let attempts = 0;
    const { lane, add, settled } = createTestLane({ write: () => (attempts++, Promise.reject(new Error("away"))) });
    add(1);
    await expect.poll(() => attempts).toBe(1);
    lane.abandon(new Error("stopped"));
    await expect.poll(() => settled.get(1)?.message).toBe("stopped");
  });

  test.each([
    ["someone waits for an answer", ({ add }: ReturnType<typeof createTestLane>) => add(4)],
    ["a node sends what it kept", ({ addLive }: ReturnType<typeof createTestLane>) => addLive(4, true)],
  ])("under a light load live values wait for each other, until %s", async (_, addUrgent) => {
    const tested = createTestLane({ calmPauseMs: 600_000 });
    const { addLive, settled, batches } = tested;
    addLive(1);
    await expect.poll(() => settled.size).toBe(1);
    addLive(2);
    await new Promise((done) => setImmediate(done));
    addLive(3);
    await new Promise((done) => setImmediate(done));
    expect(settled.size).toBe(1);
    addUrgent(tested);
    await expect.poll(() => settled.size).toBe(4);
    expect(batches).toEqual([1, 3]);
  });

  test("live values wait for each other no longer than the pause, and not at all when there are many", async () => {
    const { addLive, settled } = createTestLane({ calmPauseMs: 20 });
    addLive(1);
    await expect.poll(() => settled.size).toBe(1);
    addLive(2);
    await expect.poll(() => settled.size).toBe(2);
    const patient = createTestLane({ calmPauseMs: 600_000 });
    patient.addLive(1);
    await expect.poll(() => patient.settled.size).toBe(1);
    for (let serial = 2; serial < 13; serial++) patient.addLive(serial);
    await expect.poll(() => patient.settled.size).toBe(12);
  });

  test("a node whose row someone holds waits by itself, and keeps its order; the others are written at once", async () => {
    const held = new Set([2]);
    const written: number[] = [];
    const write = (entries: readonly { serial: number; receivedAtMs: number }[]) => {
      if (entries.some(({ serial }) => held.has(serial))) return Promise.reject(new Error("locked"));
      written.push(...entries.map(({ serial }) => serial));
      return Promise.resolve();
    };
    const locked = { isBlame: (error: unknown) => (error as Error).message === "locked", find: () => Promise.resolve(new Set(held)) };
    const { lane, add, settled } = createTestLane({ write, locked });
    const order: string[] = [];
    const addHeld = (name: string) =>
      lane.add(bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: 0, hold: undefined, settle: () => order.push(name) }, 2, []));
    add(1);
    addHeld("first");
    addHeld("second");
    add(3);
    await expect.poll(() => settled.size).toBe(2);
    addHeld("third");
    add(4);
    await expect.poll(() => settled.size).toBe(3);
    expect([written, order]).toEqual([[1, 3, 4], []]);
    held.clear();
    await expect.poll(() => order).toEqual(["first", "second", "third"]);
    addHeld("fourth");
    await expect.poll(() => order.length).toBe(4);
    expect(written).toEqual([1, 3, 4, 2, 2, 2, 2]);
  });

  test("what came in for a group that another process took over is neither written nor acknowledged", async () => {
    const hold: GroupHold = { name: "n05", epoch: 1, isLost: false };
    let isAway = true;
    const write = (entries: readonly { serial: number }[]) => {
      // Taken over while the batch waits for the database.
      hold.isLost = true;
      if (isAway) {
        isAway = false;
        return Promise.reject(new Error("away"));
      }
      tried.push(entries.map(({ serial }) => serial));
      return Promise.resolve();
    };
    const tried: number[][] = [];
    const { add, settled } = createTestLane({ write });
    add(5, hold);
    add(6);
    await expect.poll(() => settled.size).toBe(2);
    expect([tried, settled.get(5), settled.get(6)]).toEqual([[[6]], new LostGroupError(hold), undefined]);
  });

  test("values that wait are given up with the error when it is asked to", async () => {
    const { lane, addLive, settled } = createTestLane({ calmPauseMs: 600_000, write: () => Promise.resolve() });
    addLive(1);
    await expect.poll(() => settled.size).toBe(1);
    addLive(2);
    lane.abandon(new Error("stopped"));
    await expect.poll(() => settled.get(2)?.message).toBe("stopped");
  });
});
