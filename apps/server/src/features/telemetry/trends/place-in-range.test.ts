import { expect, test } from "vitest";
import { placeInRange } from "./place-in-range.ts";
import type { TrendStayRow } from "./trends.read-model.ts";

const stay = (locationId: number, startedAt: number, endedAt: number | null, change: Partial<TrendStayRow> = {}): TrendStayRow => ({
  serial: 10_001,
  locationId,
  customerId: 1,
  customerName: "c",
  facilityName: "f",
  locationName: `l ${locationId}`,
  isPlaceThere: true,
  timezone: "America/Denver",
  startedAt,
  endedAt,
  isFirst: false,
  settings: null,
  ...change,
});
const stays = [stay(5, 100, 200, { isFirst: true }), stay(6, 200, 300), stay(5, 300, null, { customerId: 2 })];

test.each<[string, [number, number], number | undefined, [number | null, [number, number][]] | undefined]>([
  [
    "the last place in the range, with each time there",
    [150, 400],
    undefined,
    [
      5,
      [
        [-Infinity, 200],
        [300, Infinity],
      ],
    ],
  ],
  ["only where it was in the range", [210, 300], undefined, [6, [[200, 300]]]],
  ["before its first stay that one, where no other node was before it", [0, 50], undefined, [5, [[-Infinity, 200]]]],
  ["to a program its customer's places, from when it came there", [150, 400], 1, [6, [[200, 300]]]],
  ["to a program nothing of before", [0, 100], 1, [5, []]],
  ["to another program its own", [0, 1_000], 2, [5, [[300, Infinity]]]],
  ["to a program of neither nothing", [0, 1_000], 3, undefined],
])("A-63 a series is of %s", (_what, [from, to], customerId, expected) => {
  const found = placeInRange(stays, { from, to }, customerId);
  expect(found && [found.place.locationId, found.place.windows]).toEqual(expected);
});

test("A-63 a node that never was at a place has a series of its own, and a place that is gone no number", () => {
  expect(placeInRange([], { from: 0, to: 1 }, undefined)).toMatchObject({ stay: undefined, place: { placeId: 0, timezone: "UTC" } });
  expect(placeInRange([], { from: 0, to: 1 }, 1)).toBeUndefined();
  const gone = stay(7, 0, null, { isPlaceThere: false, timezone: null });
  expect(placeInRange([gone], { from: 0, to: 1 }, 1)?.place).toMatchObject({
    locationId: null,
    placeId: 7,
    timezone: "UTC",
    isProgram: true,
  });
});
