import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createSetAsideStore, type NewSetAside } from "./set-aside.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());
beforeEach(() => database.pool.query("delete from service_set_aside"));

const now = 1_790_000_000;
const bad = (item: string, more: Partial<NewSetAside> = {}): NewSetAside => ({
  kind: "file",
  item,
  reason: "torn",
  fault: "item",
  nextTryAt: undefined,
  ...more,
});
const stores = () =>
  ["Reader", "Packer"].map((service) => createSetAsideStore(database.pool, service)) as [
    ReturnType<typeof createSetAsideStore>,
    ReturnType<typeof createSetAsideStore>,
  ];

test("A-01 what fails waits twice as long each time, an hour at most; what waits for others has not failed", async () => {
  const [reader] = stores();
  const waits: number[] = [];
  for (let tries = 1; tries <= 14; tries++) {
    const { nextTryAt, ...rest } = await reader.put(bad("a", { reason: `torn ${tries}` }), now + tries);
    expect(rest).toEqual({ kind: "file", item: "a", reason: `torn ${tries}`, tries, fault: "item" });
    waits.push(nextTryAt - now - tries);
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, ...Array.from({ length: 8 }, () => 3_600)]);
  const waiting = bad("b", { fault: "none", nextTryAt: now + 7 });
  expect(await reader.put(waiting, now)).toEqual({ ...waiting, tries: 0 });
  expect(await reader.put(bad("b", { fault: "platform", nextTryAt: now + 9 }), now)).toMatchObject({
    tries: 1,
    fault: "platform",
    nextTryAt: now + 9,
  });
});

test("what is due is taken once, the longest first, of its service and kind", async () => {
  const [reader, packer] = stores();
  for (const [item, at] of [
    ["a", 0],
    ["b", -5],
    ["c", 1],
    ["d", -9],
  ] as const)
    await reader.put(bad(item, { nextTryAt: now + at }), now - 100);
  await reader.put(bad("a", { kind: "node", nextTryAt: now }), now);
  await packer.put(bad("a", { nextTryAt: now }), now);
  expect((await reader.claimDue("file", 2, now, now + 300)).toSorted()).toEqual(["b", "d"]);
  expect(await reader.claimDue("file", 2, now, now + 300)).toEqual(["a"]);
  expect(await reader.claimDue("file", 2, now, now + 300)).toEqual([]);
  expect((await reader.list("file")).map(({ item, nextTryAt }) => [item, nextTryAt - now])).toEqual([
    ["a", 300],
    ["b", 300],
    ["c", 1],
    ["d", 300],
  ]);
  expect([await reader.list("node"), await packer.list("file")]).toMatchObject([[{ nextTryAt: now }], [{ nextTryAt: now }]]);
});

test("its figures, its oldest, and what is taken back or was due for long are of the service alone", async () => {
  const [reader, packer] = stores();
  expect(await reader.figures(now)).toEqual({ failedCount: 0, waitingCount: 0, hasPlatformFailed: false, nextTryAt: null });
  await packer.put(bad("z", { fault: "platform", nextTryAt: now + 1 }), now - 50);
  await reader.put(bad("b", { nextTryAt: now }), now - 10);
  await reader.put(bad("a", { nextTryAt: now + 20 }), now - 10);
  await reader.put(bad("w", { fault: "none", nextTryAt: now + 5 }), now - 30);
  await reader.put(bad("c", { kind: "node", nextTryAt: now - 1 }), now - 20);
  expect(await reader.figures(now)).toEqual({ failedCount: 3, waitingCount: 1, hasPlatformFailed: false, nextTryAt: now + 5 });
  expect((await packer.figures(now)).hasPlatformFailed).toBe(true);
  expect((await reader.oldest(2)).map(({ item }) => item)).toEqual(["c", "a"]);
  expect((await reader.oldest(9)).map(({ item }) => item)).toEqual(["c", "a", "b"]);
  await packer.put(bad("a"), now);
  await reader.put(bad("a", { kind: "node", nextTryAt: now + 9 }), now);
  await reader.remove("file", ["a", "w"]);
  await reader.forgetDueBefore(now);
  expect(await reader.list("file")).toMatchObject([{ item: "b" }]);
  expect(await reader.list("node")).toMatchObject([{ item: "a" }]);
  expect((await packer.list("file")).map(({ item }) => item)).toEqual(["z", "a"]);
});
