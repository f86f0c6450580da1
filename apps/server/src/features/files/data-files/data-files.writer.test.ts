import { dataFileKinds, parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Pool } from "#db/pool.ts";
import type { FileStore } from "#lib/file-store.ts";
import { nameOf } from "#testing/sample-files.ts";
import { filePart, type DataFilesStore } from "./data-files.store.ts";
import { createDataFilesWriter, type DataFilesWriter } from "./data-files.writer.ts";

/** Sizes of the files of each transaction. */
let batches: number[][];
let settled: string[];
let failures: number;
/** What the next transactions wait for. */
let gate: Promise<void>;
let isAway: boolean;
let writer: DataFilesWriter;

beforeEach(() => {
  [batches, settled, failures, gate, isAway] = [[], [], 0, Promise.resolve(), false];
  const client = { query: () => Promise.resolve(), release: () => undefined };
  const fileStore: Partial<FileStore> = { putAll: (all) => Promise.resolve(all.map((bytes) => Buffer.from(bytes))) };
  const store: Partial<DataFilesStore> = {
    async store(_client, files) {
      await gate;
      if (isAway) throw new Error("away");
      batches.push(files.map(({ storedBytes }) => storedBytes));
      return files.map(() => "stored");
    },
  };
  writer = createDataFilesWriter({
    pool: { connect: () => Promise.resolve(client) } as unknown as Pool,
    store: store as DataFilesStore,
    fileStore: fileStore as FileStore,
    noteFailure: () => failures++,
    maxBytes: 10_000_000,
  });
});
afterEach(() => writer.stop());

const add = (ago: number, size = 1) => {
  const name = nameOf(10_001, 1_790_000_100 - 900 * ago, "D");
  return writer.add({
    name,
    parsed: parseDataFileName(name)!,
    bytes: new Uint8Array(size),
    md5: "0".repeat(32),
    isGzip: false,
    receivedAtMs: 0,
    settle: (outcome) => void settled.push(`${ago} ${outcome}`),
  });
};

test("A-63 room is there again once files are stored, and only then", async () => {
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  expect([add(1, 6_000_000), add(2, 4_000_000), add(3)]).toEqual([true, true, false]);
  open.resolve();
  await expect.poll(() => settled).toEqual(["1 stored", "2 stored"]);
  await expect.poll(() => add(4, 10_000_000)).toBe(true);
});

test("A-63 a transaction has 256 files and 8 MiB at most, and of two under one name the later one waits", async () => {
  for (let ago = 0; ago < 300; ago++) add(ago);
  add(299, 2);
  await expect.poll(() => settled.length).toBe(301);
  expect(batches.map((sizes) => sizes.length)).toEqual([256, 44, 1]);
  batches = [];
  for (const size of [5_000_000, 4_000_000, 1_000_000]) add(size / 1_000_000, size);
  await expect.poll(() => batches).toEqual([[5_000_000, 1_000_000], [4_000_000]]);
});

test("A-63 what could not be stored is tried again and settled once; a writer that is stopped takes and settles nothing", async () => {
  isAway = true;
  add(1);
  await expect.poll(() => failures).toBeGreaterThan(3);
  expect(settled).toEqual([]);
  isAway = false;
  await expect.poll(() => settled).toEqual(["1 stored"]);
  isAway = true;
  const before = failures;
  add(2);
  await expect.poll(() => failures).toBeGreaterThan(before);
  await writer.stop();
  expect([add(3), settled]).toEqual([false, ["1 stored"]]);
});

test("A-63 of one moment there are many events and external files, by number and extension, and one file of each other kind", () => {
  const parts = dataFileKinds.map((kind) => [kind, filePart({ kind, interval: 12, extension: "csv" })]);
  expect(Object.fromEntries(parts)).toEqual({ D: "", S: "", H: "", E: "0012.csv", X: "0012.csv" });
});
