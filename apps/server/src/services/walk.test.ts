import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import type { ContinuousService } from "./service.ts";
import { takeIssues } from "./service-issues.store.ts";
import { createServiceStore, serviceChannel } from "./service.store.ts";
import { createSetAsideStore } from "./set-aside.store.ts";
import { batchesOf, NotYet, startWalk } from "./walk.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("A-01 an item that is still held by the failed try of its batch is done in the same run", async () => {
  const { signal } = new AbortController();
  const walk = startWalk({ pool: database.pool, clock: createManualClock(), service: "Holder", signal });
  const queue = new Set(["bad", "good", "other"]);
  const aside = new Set<string>();
  let isHeld = true;
  const done = await walk.throughQueue<string>({
    kind: "letter",
    idOf: (item) => item,
    findSize: 10,
    find: (ids) => Promise.resolve([...queue].filter((item) => (ids === null ? !aside.has(item) : ids.includes(item)))),
    work: (items) => {
      if (items.includes("bad")) {
        if (items.length === 1) aside.add("bad");
        return Promise.reject(new Error("unreadable"));
      }
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

test("a continuous service is known as one that runs, however it was kept before", async () => {
  await database.pool.query(
    "insert into service (name, interval_seconds, next_run_at, is_scheduled, is_enabled) values ('Watcher', 60, to_timestamp(5), true, false)",
  );
  const store = createServiceStore(database.pool);
  for (const name of ["Watcher", "New watcher"]) await store.registerContinuous({ name } as ContinuousService, 9);
  const { rows } = await database.pool.query(
    `select name, interval_seconds as interval, is_scheduled as scheduled, is_enabled as enabled, extract(epoch from next_run_at)::int as next
     from service where name like '%atcher' order by name desc`,
  );
  expect(rows).toEqual([
    { name: "Watcher", interval: 0, scheduled: false, enabled: true, next: 5 },
    { name: "New watcher", interval: 0, scheduled: false, enabled: true, next: 9 },
  ]);
});

test("A-63 a service that is a minute late and run by no one fails, and one that is switched is heard of everywhere", async () => {
  const store = createServiceStore(database.pool);
  await store.register({ name: "Overdue", intervalSeconds: 60, did: String, run: () => Promise.resolve(0) }, 1_000);
  const failingSince = async (now: number) => (await store.listServices(now)).get("Overdue")?.failingSince;
  expect([await failingSince(1_060), await failingSince(1_061)]).toEqual([null, 1_000]);
  const client = await database.pool.connect();
  await client.query(`listen ${serviceChannel}`);
  const heard = once(client, "notification");
  expect([await store.setEnabled(["Overdue"], false), await store.setEnabled(["Overdue"], false)]).toEqual([["Overdue"], []]);
  await heard;
  client.release(true);
  expect(await failingSince(1_061)).toBeNull();
});

test("A-63 a service is reported that failed often or long, and one that was and has not failed for as long", async () => {
  await database.pool.query(
    `insert into service (name, interval_seconds, next_run_at, is_scheduled, is_enabled, failing_since, failure_count, trouble_told_at, last_failed_at)
     select 'Issue ' || name, 60, now(), true, is_enabled, to_timestamp(since), failures, to_timestamp(reported), to_timestamp(failed) from (values
       ('often', true, 2000, 5, null, 2000), ('not often', true, 2000, 4, null, 2000), ('long', true, 1000, 1, null, 1000), ('not long', true, 1001, 1, null, 1001),
       ('switched off', false, 1000, 9, null, 1000), ('known', true, 1000, 9, 1500, 2000), ('over', true, null, 0, 500, 1000), ('just over', true, null, 0, 500, 1001))
       v (name, is_enabled, since, failures, reported, failed)`,
  );
  const issues = await takeIssues(database.pool, { failures: 5, before: 1_000 });
  expect(issues.filter(({ name }) => name.startsWith("Issue")).map(({ name, since, isFailing }) => [name, since, isFailing])).toEqual([
    ["Issue long", 1_000, true],
    ["Issue often", 2_000, true],
    ["Issue over", 500, false],
  ]);
});

test("what fails is tried again after a minute, then after twice as long each time, after an hour at most", async () => {
  const store = createSetAsideStore(database.pool, "Retrier");
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    const put = await store.put({ kind: "letter", item: "bad", reason: "unreadable", fault: "item", nextTryAt: undefined }, 1_000);
    waits.push((put.nextTryAt - 1_000) / 60);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test("A-62 what is due is claimed by one run of several, the longest first; what a dead process had claimed comes back", async () => {
  const store = createSetAsideStore(database.pool, "Claimer");
  const put = (item: string, nextTryAt: number) =>
    store.put({ kind: "letter", item, reason: "unreadable", fault: "item", nextTryAt }, 1_000);
  for (const [index, item] of ["third", "first", "second", "later"].entries()) await put(item, [1_003, 1_001, 1_002, 9_000][index]!);
  const client = await database.pool.connect();
  try {
    await client.query("begin; select from service_set_aside where service = 'Claimer' and item = 'first' for update");
    // What another run holds is passed over, not waited for.
    expect(await store.claimDue("letter", 1, 2_000, 2_300)).toEqual(["second"]);
    await client.query("commit");
  } finally {
    client.release();
  }
  expect((await store.claimDue("letter", 5, 2_000, 2_300)).toSorted()).toEqual(["first", "third"]);
  expect(await store.claimDue("letter", 5, 2_299, 2_600)).toEqual([]);
  expect(await store.claimDue("letter", 5, 2_300, 2_600)).toHaveLength(3);
});

test("A-63 all that is due is tried again in one run, more than is claimed at once", async () => {
  const clock = createManualClock();
  const now = clock.now() / 1000;
  await database.pool.query(
    `insert into service_set_aside (service, kind, item, reason, fault, tries, first_at, last_at, next_try_at)
     select 'Catcher up', 'letter', 'item ' || i, '', 'item', 1, to_timestamp($1), to_timestamp($1), to_timestamp($1 - 1) from generate_series(1, 101) i`,
    [now],
  );
  const walk = startWalk({ pool: database.pool, clock, service: "Catcher up", signal: new AbortController().signal });
  const tried: string[] = [];
  const count = await walk.throughQueue<string>({
    kind: "letter",
    idOf: (item) => item,
    findSize: 1_000,
    find: async (ids) => ids ?? [],
    work: async (items) => tried.push(...items) && items.length,
  });
  expect([count, new Set(tried).size, tried.length, await walk.end(count)]).toEqual([101, 101, 101, 101]);
});

test("A-62 what waits for someone else has not failed, and is looked at again at its time", async () => {
  const clock = createManualClock();
  let isThere = false;
  const run = async () => {
    const walk = startWalk({ pool: database.pool, clock, service: "Waiter", signal: new AbortController().signal });
    const count = await walk.throughQueue<string>({
      kind: "letter",
      idOf: (item) => item,
      findSize: 10,
      find: async (ids) => {
        const { rowCount } = await database.pool.query("select from service_set_aside where service = 'Waiter'");
        return ids === null && rowCount !== 0 ? [] : ["letter"];
      },
      work: ([item]) => {
        if (isThere) return Promise.resolve(1);
        return Promise.reject(new NotYet(`Waits for the answer to ${item}`, clock.now() / 1000 + 30));
      },
    });
    return walk.end(count);
  };
  const nextTryAt = clock.now() / 1000 + 30;
  expect(await run()).toEqual({ processedCount: 0, logEntry: "1 item waiting", setAside: [], tryAgainAt: expect.closeTo(nextTryAt, 3) });
  const { rows } = await database.pool.query("select reason, tries, fault from service_set_aside where service = 'Waiter'");
  expect(rows).toEqual([{ reason: "Waits for the answer to letter", tries: 0, fault: "none" }]);
  isThere = true;
  expect(await run()).toMatchObject({ processedCount: 0 });
  clock.advance(31);
  expect(await run()).toBe(1);
});

test("A-63 what was set aside and is gone is forgotten; a disk that fails is the platform's fault, and tried again in a minute", async () => {
  const clock = createManualClock();
  const letters = new Set(["gone", "unread"]);
  const failure = Object.assign(new Error("input/output error"), { code: "EIO" });
  const run = async () => {
    const walk = startWalk({ pool: database.pool, clock, service: "Forgetter", signal: new AbortController().signal });
    const aside = new Set((await createSetAsideStore(database.pool, "Forgetter").list("letter")).map(({ item }) => item));
    const count = await walk.throughQueue<string>({
      kind: "letter",
      idOf: (item) => item,
      findSize: 10,
      batchSize: 1,
      find: (ids) => Promise.resolve([...letters].filter((item) => (ids === null ? !aside.has(item) : ids.includes(item)))),
      work: ([item]) => (aside.add(item!), item === "other" ? Promise.resolve(1) : Promise.reject(failure)),
    });
    return walk.end(count);
  };
  letters.add("other");
  const startedAt = clock.now() / 1000;
  const failed = { hasFailed: true, processedCount: 1, tryAgainAt: expect.closeTo(startedAt + 60, 3) };
  expect(await run()).toMatchObject({ ...failed, setAside: [{ item: "gone" }, { item: "unread" }] });
  letters.delete("gone");
  letters.delete("other");
  clock.advance(60);
  letters.add("other");
  await run();
  expect((await createSetAsideStore(database.pool, "Forgetter").list("letter")).map(({ item }) => item)).toEqual(["unread"]);
});

test.each([
  [1, 0, { processedCount: 0, setAside: [{ item: "0" }] }],
  [2, 0, { message: "item 1 is unreadable" }],
  [2, 1, { processedCount: 1, setAside: [{ item: "0" }, { item: "1" }] }],
  [201, 1, { message: "item 200 is unreadable" }],
])("A-63 where %i items fail and %i does not, they are set aside, or it is the run that has failed", async (bad, good, outcome) => {
  const walk = startWalk({
    pool: database.pool,
    clock: createManualClock(),
    service: `Counter ${bad} ${good}`,
    signal: new AbortController().signal,
  });
  const run = async () =>
    walk.end(
      await walk.over({
        items: Array.from({ length: bad + good }, (_, id) => id),
        kind: "letter",
        idOf: (id) => id,
        batchSize: 1,
        work: ([id]) => (id! < bad ? Promise.reject(new Error(`item ${id} is unreadable`)) : Promise.resolve(1)),
      }),
    );
  expect(await run().catch((error: Error) => error)).toMatchObject(outcome);
});

test.each([
  ["abcd", "", ["abcd", "ab", "cd", "c", "d"], "d"],
  ["abcd", "bcd", ["abcd"], "abcd"],
  ["abcd", "cd", ["abcd", "a", "bcd"], "bcd"],
  ["abcd", "c", ["abcd", "abc", "d"], "d"],
  ["abcde", "d", ["abcde", "abcd", "e"], ""],
])("a batch %s that fails at d is halved where %j go with those before them", async (items, together, batches, aside) => {
  const service = `Halver ${items} ${together}`;
  const walk = startWalk({ pool: database.pool, clock: createManualClock(), service, signal: new AbortController().signal });
  const worked: string[] = [];
  await walk.over({
    items: items.split(""),
    kind: "letter",
    idOf: (item) => item,
    goesWithPrevious: (item) => together.includes(item),
    work: (some) => {
      worked.push(some.join(""));
      return some.includes("d") && (aside !== "" || some.length === items.length)
        ? Promise.reject(new Error("unreadable"))
        : Promise.resolve(some.length);
    },
  });
  expect(worked).toEqual(batches);
  const { rows } = await database.pool.query<{ items: string | null }>(
    "select string_agg(item, '' order by item) as items from service_set_aside where service = $1",
    [service],
  );
  expect(rows[0]!.items ?? "").toBe(aside);
});

test("A-63 an item that goes with the one before it stays in its batch, however large that becomes", () => {
  const goesWithPrevious = (item: number) => item % 10 !== 0;
  expect([...batchesOf([10, 20, 21, 22, 30, 31], 2, goesWithPrevious)]).toEqual([
    [10, 20, 21, 22],
    [30, 31],
  ]);
  expect([...batchesOf([10, 20, 30], 2)]).toEqual([[10, 20], [30]]);
  const sizes = [1, 0, 5];
  expect([...batchesOf([1, 2, 3, 4], () => sizes.shift()!)]).toEqual([[1], [2], [3, 4]]);
});
