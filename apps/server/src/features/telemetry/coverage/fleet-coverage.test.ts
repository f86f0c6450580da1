import { afterAll, beforeAll, expect, test } from "vitest";
import { firstQuarter } from "#lib/quarters.ts";
import { coverQuarters } from "#shared/coverage.store.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { hasBit } from "./bit-run.ts";
import { createCoverageReadModel } from "./coverage.read-model.ts";
import { createFleetCoverage } from "./fleet-coverage.ts";
import { windowOf } from "./quarter-window.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const first = firstQuarter("2026-02-01");
const window = windowOf(first, first + 96);

/** On the real database; counts the rows that it reads, and tells of the timeline that a test names. */
function createObserved() {
  const readModel = createCoverageReadModel(database.pool);
  const observed = { rows: 0, directories: 0, timeline: "1", atOnce: 0, mostAtOnce: 0 };
  const fleet = createFleetCoverage({
    ...readModel,
    async fleetMonths(...asked) {
      observed.mostAtOnce = Math.max(observed.mostAtOnce, ++observed.atOnce);
      const read = await readModel.fleetMonths(...asked);
      observed.atOnce--;
      observed.rows += read.rows.length;
      return { ...read, timeline: observed.timeline };
    },
    nodes(serial) {
      observed.directories++;
      return readModel.nodes(serial);
    },
  });
  const received = async (serial: number, index: number) => {
    const bits = (await fleet.bits("D", window)).get(serial);
    return bits !== undefined && hasBit(bits.received, index);
  };
  return { fleet, observed, received };
}

const quarterAt = (serial: number, index: number) => ({
  kind: "D" as const,
  serial,
  quarter: first + index,
  isWhole: true,
  isLate: false,
  isBackfilled: false,
});
const cover = (...quarters: ReturnType<typeof quarterAt>[]) => coverQuarters(database.pool, quarters);

test("what came since the last answer is in the next one, and only that is read", async () => {
  await cover(quarterAt(1, 0), quarterAt(2, 0), quarterAt(3, 0));
  const { observed, received } = createObserved();
  expect(await received(2, 0)).toBe(true);
  await cover(quarterAt(2, 7));
  // The newest transaction is read twice: it might not have ended.
  await received(1, 0);
  observed.rows = 0;
  await cover(quarterAt(3, 7), quarterAt(4, 7));
  expect([await received(3, 0), await received(3, 7), await received(4, 7), await received(2, 7), await received(1, 7)]).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(observed.rows).toBeLessThan(8);
});

test("a transaction that began before an answer and ended after it is in the next one", async () => {
  const { received } = createObserved();
  const slow = await database.pool.connect();
  await slow.query("begin");
  await coverQuarters(slow, [quarterAt(11, 1)]);
  await cover(quarterAt(12, 1));
  expect([await received(11, 1), await received(12, 1)]).toEqual([false, true]);
  await cover(quarterAt(12, 2));
  expect(await received(12, 2)).toBe(true);
  await slow.query("commit");
  slow.release();
  expect(await received(11, 1)).toBe(true);
});

test("what failed no longer does once its row says so", async () => {
  await cover(quarterAt(21, 3));
  const { fleet } = createObserved();
  const failed = async () => {
    const bits = (await fleet.bits("D", window)).get(21)!;
    return bits.failed !== null && hasBit(bits.failed, 3);
  };
  const set = (bits: string) => database.pool.query(`update coverage set failed = ${bits} where serial_number = 21`);
  await set("set_bit(0::bit(2976), 3, 1)");
  expect(await failed()).toBe(true);
  await set("null");
  expect(await failed()).toBe(false);
});

test("after a failover all is read anew: what was written there and lost is gone", async () => {
  await cover(quarterAt(31, 4));
  const { observed, received } = createObserved();
  expect(await received(31, 4)).toBe(true);
  await database.pool.query("delete from coverage where serial_number = 31");
  observed.timeline = "2";
  expect(await received(31, 4)).toBe(false);
});

test("names, places and stays are read again only when one of them changed", async () => {
  const place = await addPlace(database.pool);
  await addNode(database.pool, 10_041, place);
  const { fleet, observed } = createObserved();
  const now = async () => {
    const { nodes, staysOf } = await fleet.directory();
    return [nodes.find(({ serial }) => serial === 10_041)?.location, staysOf.get(10_041)?.length];
  };
  expect(await now()).toEqual(["Feed Pump 1", 1]);
  await cover(quarterAt(10_041, 5));
  await now();
  expect(observed.directories).toBe(1);
  await database.pool.query("update location set name = 'Feed Pump 2' where id = $1", [place.locationId]);
  expect(await now()).toEqual(["Feed Pump 2", 1]);
  await database.pool.query("delete from node_assignment where serial_number = 10041");
  await database.pool.query("insert into node_assignment (serial_number, location_id, slot) values (10041, $1, 2)", [place.locationId]);
  expect(await now()).toEqual(["Feed Pump 2", 2]);
});

test("many callers at once take one connection for what is not kept yet, and read names and places once", async () => {
  const { fleet, observed } = createObserved();
  const days = Array.from({ length: 8 }, (_, month) => windowOf(first + month * 96 * 31, first + month * 96 * 31 + 96));
  await Promise.all([...days, ...days].flatMap((each) => [fleet.bits("D", each), fleet.directory()]));
  expect([observed.mostAtOnce, observed.directories]).toEqual([1, 1]);
});

test("months are read of one kind in their order; what came before a month is of one kind too, and the month itself is not before", async () => {
  const readModel = createCoverageReadModel(database.pool);
  const quarter = (serial: number, month: string, kind: "D" | "S" = "D") => ({
    ...quarterAt(serial, 0),
    kind,
    quarter: firstQuarter(month),
  });
  await coverQuarters(database.pool, [
    quarter(61, "2026-03-01"),
    quarter(61, "2026-02-01"),
    quarter(61, "2026-04-01"),
    quarter(62, "2026-01-01"),
    quarter(61, "2026-01-01", "S"),
    quarter(63, "2026-02-01", "S"),
  ]);
  const monthsOf = async (serial: number) =>
    (await readModel.months(serial, "D", ["2026-03-01", "2026-02-01", "2026-01-01"])).map(({ month }) => month);
  expect([await monthsOf(61), await monthsOf(62), await monthsOf(63)]).toEqual([["2026-02-01", "2026-03-01"], ["2026-01-01"], []]);
  const earlier = async (serial: number | null, month: string) =>
    [...(await readModel.earlier(serial, "D", month))].filter((one) => one > 60 && one < 70).toSorted((a, b) => a - b);
  expect([await earlier(null, "2026-02-01"), await earlier(null, "2026-03-01"), await earlier(61, "2026-03-01")]).toEqual([
    [62],
    [61, 62],
    [61],
  ]);
});
