import { setImmediate as othersTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createFleetCache } from "./fleet-cache.ts";
import { createFleetReadModel, type DirectoryRow } from "./fleet.read-model.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

/** Noon: what happens around it happens on one day. */
const noon = Date.UTC(2026, 2, 2, 12) / 1000;

/** A cache on the real database for which it is the time that a test says, and which counts what it reads. */
function createObservedCache() {
  const readModel = createFleetReadModel(database.pool);
  const observed = { at: noon, directoryReads: 0, timeline: undefined as string | null | undefined };
  const cache = createFleetCache({
    log: silentLog,
    readModel: {
      ...readModel,
      async watermark(since) {
        const watermark = await readModel.watermark(since);
        const timeline = observed.timeline === undefined ? {} : { timeline: observed.timeline };
        return { ...watermark, ...timeline, at: observed.at };
      },
      directory() {
        observed.directoryReads++;
        return readModel.directory();
      },
    },
  });
  const entry = (serial: number) => cache.snapshot.entries.get(String(serial))!;
  const live = (serial: number) =>
    JSON.parse(`{${entry(serial).liveJson}}`) as { meterConnected: boolean; missingScalarStreamCount: number };
  return { cache, observed, entry, live };
}

test("a change of time alone counts as a change for those who ask since an earlier revision", async () => {
  await addNode(database.pool, 10001);
  const seen = new Date(noon * 1000);
  await setLive(database.pool, 10001, { is_connected: true, last_meter_at: seen, last_scalar_at: seen });
  const { cache, observed, entry, live } = createObservedCache();
  await cache.runTick();
  const revision = cache.snapshot.revisionXid;
  expect(live(10001)).toMatchObject({ meterConnected: true, missingScalarStreamCount: 0 });
  observed.at = noon + 60;
  await cache.runTick();
  expect(live(10001).meterConnected).toBe(false);
  expect(live(10001).missingScalarStreamCount).toBeGreaterThanOrEqual(4);
  expect(entry(10001).liveXid).toBeGreaterThanOrEqual(revision);
});

test("a meter counts as connected for three intervals of its node, and of ten seconds at least", async () => {
  const seen = new Date(noon * 1000);
  const seconds = { 10021: 10, 10022: 60, 10023: 1 };
  for (const [serial, interval] of Object.entries(seconds)) {
    await addNode(database.pool, Number(serial), undefined, { scalar_interval_seconds: interval });
    await setLive(database.pool, Number(serial), { is_connected: true, last_meter_at: seen });
  }
  const { cache, observed, live } = createObservedCache();
  const connectedAfter = async (age: number) => {
    observed.at = noon + age;
    await cache.runTick();
    return Object.keys(seconds).map((serial) => live(Number(serial)).meterConnected);
  };
  expect(await connectedAfter(35)).toEqual([true, true, true]);
  expect(await connectedAfter(45)).toEqual([false, true, false]);
  expect(await connectedAfter(185)).toEqual([false, true, false]);
  expect(await connectedAfter(195)).toEqual([false, false, false]);
});

test("A-01 a place whose zone this program does not know keeps no one's values from the dashboard", async () => {
  await addNode(database.pool, 10011, await addPlace(database.pool, "Mars/Olympus"));
  await addNode(database.pool, 10012, await addPlace(database.pool));
  for (const serial of [10011, 10012]) await setLive(database.pool, serial, { is_connected: true, last_scalar_at: new Date(noon * 1000) });
  const { cache, live } = createObservedCache();
  await cache.runTick();
  expect(cache.problem()).toBeUndefined();
  for (const serial of [10011, 10012]) expect(live(serial)).toMatchObject({ nodeConnected: true, missingScalarStreamCount: 0 });
});

test("two processes compute the values that time moves alike, whenever they tick", async () => {
  await addNode(database.pool, 10002);
  await setLive(database.pool, 10002, { is_connected: true, last_scalar_at: new Date((noon - 100) * 1000) });
  const one = createObservedCache();
  const other = createObservedCache();
  // The values that time moves are computed for whole ten seconds.
  one.observed.at = noon + 20;
  other.observed.at = noon + 29.9;
  await one.cache.runTick();
  await other.cache.runTick();
  expect(one.entry(10002).liveJson).toBe(other.entry(10002).liveJson);
});

test("a long transaction does not make the directory be read again and again, and hides no change of it", async () => {
  const place = await addPlace(database.pool);
  await addNode(database.pool, 10003, place);
  const { cache, observed, entry } = createObservedCache();
  await cache.runTick();
  const long = await database.pool.connect();
  await long.query("begin");
  await long.query("select pg_current_xact_id()");
  const rename = (name: string) => database.pool.query("update location set name = $2 where id = $1", [place.locationId, name]);
  await rename("Feed Pump 7");
  await cache.runTick();
  await cache.runTick();
  await cache.runTick();
  expect(entry(10003).directoryJson).toContain('"locationName":"Feed Pump 7"');
  expect(observed.directoryReads).toBeLessThanOrEqual(3);
  await rename("Feed Pump 8");
  await cache.runTick();
  expect(entry(10003).directoryJson).toContain('"locationName":"Feed Pump 8"');
  await long.query("update location set asset_location_number = 'A-7' where id = $1", [place.locationId]);
  await long.query("update location set name = 'Feed Pump 9' where id = $1", [place.locationId]);
  await long.query("commit");
  long.release();
  await cache.runTick();
  expect(entry(10003).directoryJson).toContain('"locationName":"Feed Pump 9"');
});

test("an unchanged fleet keeps its generation, so that clients get 304", async () => {
  const { cache } = createObservedCache();
  await expect
    .poll(async () => {
      await cache.runTick();
      const { generation } = cache.snapshot;
      await cache.runTick();
      return cache.snapshot.generation - generation;
    })
    .toBe(0);
});

test("the newest change of the directory is found by its number, not by its text", async () => {
  const { pool } = database;
  await pool.query("truncate directory_change");
  await pool.query("insert into directory_change (xid) values ('99999'), ('100000')");
  expect(await createFleetReadModel(pool).newestDirectoryChange()).toBe(100_000);
});

test("after a failover nothing is missed whose number is below the mark, and no client's mark is taken for known", async () => {
  await addNode(database.pool, 10031);
  const { cache, observed, live } = createObservedCache();
  await cache.runTick();
  const before = cache.snapshot.revisionXid;
  // As on a primary that never saw the last transactions of the old one: their numbers come again.
  await database.pool.query("insert into node_live (serial_number) values (10031) on conflict do nothing");
  await database.pool.query("update node_live set is_connected = true, changed_xid = $1::text::xid8 where serial_number = 10031", [
    String(before - 2),
  ]);
  const isConnected = () => (live(10031) as unknown as { nodeConnected: boolean }).nodeConnected;
  await cache.runTick();
  expect(isConnected()).toBe(false);
  observed.timeline = "00000002";
  await cache.runTick();
  expect(isConnected()).toBe(true);
  expect(cache.snapshot.horizonXid).toBeGreaterThan(before);
});

test("numbers below the mark that come again are skipped", async () => {
  const readModel = createFleetReadModel(database.pool);
  let behind = 0;
  const marks: number[] = [];
  const cache = createFleetCache({
    log: silentLog,
    readModel: {
      ...readModel,
      async watermark(since) {
        const watermark = await readModel.watermark(since);
        const seen = { ...watermark, xid: watermark.xid - behind, timeline: behind === 0 ? "1" : "2" };
        marks.push(seen.xid);
        return seen;
      },
    },
  });
  await cache.runTick();
  const before = cache.snapshot.revisionXid;
  behind = 40;
  await cache.runTick();
  expect(marks[1]).toBeLessThan(before);
  expect(cache.snapshot.revisionXid).toBeGreaterThan(before);
  expect(cache.snapshot.horizonXid).toBe(cache.snapshot.revisionXid);
});

test("a read-only replica is no database to follow, and readiness says so", async () => {
  const { cache, observed } = createObservedCache();
  await cache.runTick();
  observed.timeline = null;
  await cache.runTick();
  expect(cache.problem()).toBe("the database is a read-only replica: DATABASE_URL must lead to the primary");
  observed.timeline = undefined;
  await cache.runTick();
  expect(cache.problem()).toBeUndefined();
});

test("others get their turn between the parts of a large fleet, and until its end the revision is that of the tick before", async () => {
  const row = { currentDeploymentStatus: "Deployed", timezone: "UTC", scalarInterval: 10, dataInterval: 900 };
  const cache = createFleetCache({
    log: silentLog,
    readModel: {
      ...createFleetReadModel(database.pool),
      watermark: async () => ({ xid: 7, timeline: "00000001", at: noon, directoryChanges: 0 }),
      directory: async () =>
        Array.from({ length: 1_000 }, (_, index) => ({ ...row, serialNumber: String(30_001 + index) }) as DirectoryRow),
      newestDirectoryChange: async () => 7,
      liveRows: async () => [],
      verdicts: async () => [],
      presence: async () => [],
    },
  });
  const seen = new Set<string>();
  const ended: true[] = [];
  const running = cache.runTick().finally(() => void ended.push(true));
  while (ended.length === 0) {
    seen.add(`${cache.snapshot.entries.size} at ${cache.snapshot.revisionXid}`);
    await othersTurn();
  }
  await running;
  expect([...seen]).toEqual(Array.from({ length: 11 }, (_, part) => `${part * 100} at 0`));
  expect(cache.snapshot.revisionXid).toBe(7);
});
