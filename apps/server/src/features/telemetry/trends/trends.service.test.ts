import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import type { TrendMarksReadModel } from "./trend-marks.read-model.ts";
import type { Asked, TrendWork } from "./trend-work.ts";
import type { TrendNodeRow, TrendsReadModel, TrendStayRow } from "./trends.read-model.ts";
import { createTrends } from "./trends.service.ts";

type Stay = [serial: number, locationId: number, startedAt: number, endedAt: number | null];
const rowOf = ([serial, locationId, startedAt, endedAt]: Stay) =>
  ({
    serial,
    locationId,
    customerId: 1,
    timezone: "UTC",
    isPlaceThere: true,
    startedAt,
    endedAt,
    isFirst: false,
    settings: null,
  }) as TrendStayRow;

/** Which nodes a series of node 2 is made of, and when each was there. */
async function nodesBetween(from: number, to: number, stays: Stay[], before: Stay[]): Promise<unknown> {
  let asked: readonly Asked[] = [];
  const readModel: Partial<TrendsReadModel> = {
    stays: async () => stays.map(rowOf),
    staysBefore: async () => before.map((stay) => ({ ...rowOf(stay), before: 2 })),
    nodes: async (serials) => serials.map((serial) => ({ serial }) as TrendNodeRow),
  };
  const trends = createTrends({
    work: { days: async (all) => ((asked = all), []) } as Partial<TrendWork> as TrendWork,
    readModel: readModel as TrendsReadModel,
    marks: {} as TrendMarksReadModel,
    clock: createManualClock(),
    keptScalarDays: async () => 30,
    energyRate: async () => 0,
  });
  await trends.days(2, { from, to }, undefined);
  return asked[0]!.nodes.map(({ row, windows }) => [row.serial, windows]);
}

test("A-63 what an earlier node sent is of the place where the node is, not of one where it was before", async () => {
  const stays: Stay[] = [
    [2, 10, 0, 100],
    [2, 20, 100, null],
  ];
  const before: Stay[] = [[1, 20, 50, 100]];
  expect(await nodesBetween(60, 200, stays, before)).toEqual([
    [1, [[50, 100]]],
    [2, [[100, Infinity]]],
  ]);
  expect(await nodesBetween(60, 100, stays, before)).toEqual([[2, [[0, 100]]]]);
  expect(await nodesBetween(100, 200, stays, before)).toEqual([[2, [[100, Infinity]]]]);
});

test.each([
  [0.07, 7],
  [0.1234, 12.34],
  [0, null],
])("A-63 energy at a rate of %f is so many cents, and of none it costs nothing that anyone knows", async (rate, rateCents) => {
  const asked: unknown[] = [];
  const trends = createTrends({
    work: { days: async (_all: unknown, _range: unknown, cents: unknown) => (asked.push(cents), []) } as Partial<TrendWork> as TrendWork,
    readModel: {
      stays: async () => [],
      staysBefore: async () => [],
      nodes: async (serials: readonly number[]) => serials.map((serial) => ({ serial }) as TrendNodeRow),
    } as Partial<TrendsReadModel> as TrendsReadModel,
    marks: {} as TrendMarksReadModel,
    clock: createManualClock(),
    keptScalarDays: async () => 30,
    energyRate: async () => rate,
  });
  const days = await trends.days(2, { from: 0, to: 86_400 }, undefined);
  expect([days.rateCents, ...asked]).toEqual([rateCents, rateCents]);
});
