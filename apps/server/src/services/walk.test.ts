import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { startWalk } from "./walk.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("A-01 an item that is still held by the failed try of its batch is done in the same run", async () => {
  const { signal } = new AbortController();
  const walk = await startWalk({ pool: database.pool, clock: createManualClock(), service: "Holder", signal });
  const queue = new Set(["bad", "good", "other"]);
  let isHeld = true;
  const done = await walk.throughQueue<string>({
    kind: "letter",
    idOf: (item) => item,
    batchSize: 10,
    find: (except) => Promise.resolve([...queue].filter((item) => !except.includes(item))),
    work: (items) => {
      if (items.includes("bad")) return Promise.reject(new Error("unreadable"));
      // As a statement that skips locked rows: the failed one lets go of them a moment later.
      if (isHeld) {
        isHeld = false;
        return Promise.resolve(0);
      }
      for (const item of items) queue.delete(item);
      return Promise.resolve(items.length);
    },
  });
  expect([done, [...queue]]).toEqual([2, ["bad"]]);
  expect(await walk.end(done)).toMatchObject({ processedCount: 2, setAside: [{ kind: "letter", item: "bad", reason: "unreadable" }] });
});
