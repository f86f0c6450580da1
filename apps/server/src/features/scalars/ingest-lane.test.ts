import { describe, expect, test } from "vitest";
import { createIngestLane } from "./ingest-lane.ts";
import type { IngestLaneOptions } from "./ingest-lane.ts";
import { bareEntry } from "./settled-entry.ts";

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
  const add = (serial: number) => {
    const settle = (error?: Error) => void settled.set(serial, error);
    lane.add(bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: 0, settle }, serial, []));
  };
  return { lane, add, written, quarantined, settled, batches };
}

describe("a lane", () => {
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

  test("gives up when it is told to, with the error", async () => {
    let attempts = 0;
    const { lane, add, settled } = createTestLane({ write: () => (attempts++, Promise.reject(new Error("away"))) });
    add(1);
    await expect.poll(() => attempts).toBe(1);
    lane.abandon(new Error("stopped"));
    await expect.poll(() => settled.get(1)?.message).toBe("stopped");
  });
});
