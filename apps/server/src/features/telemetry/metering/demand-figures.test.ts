import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createDemandFigures } from "./demand-figures.ts";

test.each([
  ["America/Denver", "2026-05-04", "2026-05-04T06:00:00Z"],
  ["Asia/Kolkata", "2026-05-05", "2026-05-04T18:30:00Z"],
])("A-63 today and the days before it are those of the location: in %s before %s", async (zone, date, start) => {
  const clock = createManualClock(Date.UTC(2026, 4, 5, 2));
  const asked: unknown[] = [];
  const figures = createDemandFigures(
    {
      blocksSince: async (serial, since) => (
        asked.push([serial, since]),
        [{ startMs: clock.now() - 1_800_000, kwSeconds: 9_000, coveredSeconds: 900 }]
      ),
      daysBefore: async (serial, before) => (
        asked.push([serial, before]),
        [{ averageKw: 3, peakKw: 4, coveredSeconds: 86_400, lengthSeconds: 86_400 }]
      ),
    },
    clock,
  );
  const at = clock.now() / 1000;
  const expected = { at, todayAverageKw: 10, todayPeakKw: 10, dailyAverageKw: 3, dailyPeakKw: 4 };
  const question = [
    [10_001, Date.parse(start) / 1000],
    [10_001, date],
  ];
  for (const again of [0, 29_999]) {
    clock.advance(again / 1000);
    expect(await figures(10_001, zone)).toEqual(expected);
  }
  expect(asked).toEqual(question);
  // Another node, and the same one at another place, are read by themselves, and all after half a minute.
  await figures(10_002, zone);
  await figures(10_001, "UTC");
  expect(asked.splice(0)).toHaveLength(6);
  clock.advance(1);
  expect(await figures(10_001, zone)).toEqual({ ...expected, at: clock.now() / 1000 });
  expect(asked).toEqual(question);
});
