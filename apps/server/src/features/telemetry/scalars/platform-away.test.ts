import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { createFleetReadModel } from "#features/telemetry/node-dashboard/fleet.read-model.ts";
import { localDay } from "#lib/local-day.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createTestIngest, scalarMetrics, startTestNode, zoneAtDaytime, type TestIngest } from "#testing/test-ingest.ts";
import { addPlace, setLive } from "#testing/test-world.ts";
import type { IngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { createIngestPresence } from "./ingest-presence.ts";
import { missedInGap, outagesBetween } from "#lib/platform-outages.ts";

let database: TestDatabase;
const started: TestIngest[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const ingest of started) await ingest.stop();
  await database.stop();
});

/** Ingest that starts at this time, as the program would after the one before it. */
async function startIngest(atMs: number) {
  const clock = createManualClock(atMs);
  const ingest = await createTestIngest({ clock }, database);
  started.push(ingest);
  return { ingest, clock };
}
const stop = async (ingest: TestIngest) => {
  started.splice(started.indexOf(ingest), 1);
  await ingest.stop();
};

async function counts(serial: number) {
  const { rows } = await database.pool.query(
    "select missing_scalar_count as own, platform_missed_scalar_count as platform from node_live where serial_number = $1",
    [serial],
  );
  return rows[0] as { own: number; platform: number };
}

/** The dashboard's answer, from a cache that has just read the database. */
async function shown(serial: number, shiftSeconds = 0) {
  const readModel = createFleetReadModel(database.pool);
  const watermark = async (since: number) => {
    const read = await readModel.watermark(since);
    return { ...read, at: read.at + shiftSeconds };
  };
  const cache = createFleetCache({ log: silentLog, readModel: { ...readModel, watermark } });
  await cache.runTick();
  const { liveJson } = cache.snapshot.entries.get(String(serial))!;
  const { missingScalarStreamCount: own, platformMissedScalarCount: platform } = JSON.parse(`{${liveJson}}`) as Record<string, number>;
  return { own, platform };
}

test("A-19 a break is known at every moment of the beat that begins the time after it", async () => {
  const clock = createManualClock();
  const now = clock.now() / 1000;
  const rows = [{ startedAt: now - 1_000, aliveAt: now - 300 }];
  const [begun, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const store: IngestPresenceStore = {
    begin: async () => {
      rows.push({ startedAt: now, aliveAt: now });
      begun.resolve();
      return "2";
    },
    beat: () => Promise.resolve(),
    periods: async () => {
      await read.promise;
      return rows;
    },
  };
  // Nodes that come through a broker of their own are heard as soon as there is a connection.
  let isListening = false;
  const presence = createIngestPresence({
    store: { ...store, periods: async () => (isListening ? store.periods() : rows.slice(0, 1)) },
    clock,
    log: silentLog,
    isListening: () => isListening,
  });
  await presence.start();
  const missed = () => missedInGap(now - 305, now + 5, 10, presence.outages());
  clock.advance(5);
  const whole = missed();
  expect(whole.count).toBe(0);
  isListening = true;
  const second = presence.start();
  await begun.promise;
  expect(missed()).toEqual(whole);
  read.resolve();
  await second;
  expect(missed()).toEqual(whole);
  await presence.stop();
});

describe("a restart between scalars", () => {
  test.each([
    ["an orderly stop", 20_001, true],
    ["a crash", 20_002, false],
  ])(
    "A-19 after %s the node skipped nothing, the platform missed what was due; what the node skips counts as before",
    async (_how, serial, isOrderly) => {
      const zone = zoneAtDaytime();
      const place = await addPlace(database.pool, zone);
      await database.pool.query("delete from ingest_presence");
      const start = Date.now() - 1_800_000;
      const at = (seconds: number) => start + seconds * 1000;
      const first = await startIngest(start);
      await first.ingest.addNode(serial, place, { scalar_interval_seconds: 10 });
      let node = await startTestNode(first.ingest, serial);
      await node.birth();
      const send = (...seconds: number[]) => node.data(seconds.flatMap((second) => scalarMetrics(at(second), 1)));
      await send(-110, -100, -40, -30, -20, -10, 0);
      expect(await counts(serial)).toEqual({ own: 5, platform: 0 });
      if (isOrderly) await stop(first.ingest);

      // The process of a crash writes nothing more: its clock stays where it is.
      const { ingest, clock } = await startIngest(at(600));
      node = await startTestNode(ingest, serial, 0);
      await node.birth();
      clock.advance(10);
      await send(610);
      expect(await counts(serial)).toEqual({ own: 5, platform: 60 });
      clock.advance(200);
      await send(720, 780);
      expect(await counts(serial)).toEqual({ own: 10, platform: 70 });

      await node.data([300, 750].flatMap((second) => scalarMetrics(at(second), 1, { isHistorical: true })));
      await expect.poll(() => counts(serial)).toEqual({ own: 9, platform: 69 });
      const { rows } = await database.pool.query("select missing_scalar_day::text as day from node_live where serial_number = $1", [
        serial,
      ]);
      expect(rows).toEqual([{ day: localDay(zone, at(780) / 1000).date }]);
      if (!isOrderly) await stop(first.ingest);
      await stop(ingest);
    },
  );
});

test("A-19 an open gap on the dashboard is the platform's while ingest is away, and the node's while it listens", async () => {
  await database.pool.query("delete from ingest_presence");
  const { ingest } = await startIngest(Date.now());
  await ingest.addNode(20_010, await addPlace(database.pool, zoneAtDaytime()), { scalar_interval_seconds: 10 });
  await setLive(database.pool, 20_010, { is_connected: true, last_scalar_at: new Date() });
  await stop(ingest);
  const away = await shown(20_010, 300);
  expect(away.own).toBe(0);
  expect(away.platform).toBeGreaterThanOrEqual(27);

  await setLive(database.pool, 20_010, { last_scalar_at: new Date(Date.now() - 300_000) });
  await database.pool.query("update ingest_presence set started_at = now() - interval '1 hour', alive_at = now() + interval '1 minute'");
  const listening = await shown(20_010);
  expect(listening.platform).toBe(0);
  expect(listening.own).toBeGreaterThanOrEqual(27);
});

describe("when the platform was away", () => {
  test("A-19 before the first period nothing is known: what is missing is the node's", () => {
    expect(outagesBetween([], 1_000)).toEqual([]);
    expect(outagesBetween([{ startedAt: 1_000, aliveAt: 1_000 }], 1_010)).toEqual([]);
  });

  test("A-19 another ingest that goes on listening leaves no break", () => {
    const periods = [
      { startedAt: 0, aliveAt: 1_000 },
      { startedAt: 500, aliveAt: 3_000 },
      { startedAt: 2_000, aliveAt: 2_500 },
    ];
    expect(outagesBetween(periods, 3_010)).toEqual([]);
  });

  test("A-19 two restarts in a row are one break: no scalar counts twice", () => {
    const periods = [
      { startedAt: 0, aliveAt: 1_000 },
      { startedAt: 1_060, aliveAt: 1_090 },
      { startedAt: 1_120, aliveAt: 5_000 },
    ];
    const outages = outagesBetween(periods, 5_005);
    expect(outages).toEqual([{ start: 990, end: 1_240 }]);
    expect(missedInGap(985, 1_405, 10, outages)).toEqual({ count: 16, platformCount: 25 });
  });
});
