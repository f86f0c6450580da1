import type { Pool } from "pg";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { createDataFilesIngest } from "./data-files.ingest.ts";
import type { DataFilesStore } from "./data-files.store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("requests to nodes wait while the broker is away, and are sent once it is back", async () => {
  const waiting = [{ serial: 10_101, parentSerial: null, request: { kind: "H", from: 1, to: 2 }, alias: null }];
  let isBrokerThere = false;
  const published: string[] = [];
  const files = createDataFilesIngest({
    pool: {} as Pool,
    store: { takeRequests: async () => waiting.splice(0) } as unknown as DataFilesStore,
    fileStore: createFolderFileStore("unused"),
    clock: systemClock,
    limitedLog: () => undefined,
    registry: new Registry(),
    publishCommand: (topic) => published.push(topic),
    canPublish: () => isBrokerThere,
    disk: { problem: () => undefined },
  });
  files.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([waiting.length, published]).toEqual([1, []]);
  isBrokerThere = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([waiting.length, published]).toEqual([0, ["spBv1.0/n53/NCMD/10101"]]);
  await files.stop();
});
