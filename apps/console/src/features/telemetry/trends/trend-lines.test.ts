import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { expect, test } from "vitest";
import { commonGaps, describePanel, gapsOf, lineOf, nextMoment, outside, panelsOf, valueRange, valuesAt } from "./trend-lines.ts";

const span = { from: 0, to: 1_000 };
const look = { key: "10001:current", name: "Fan · Current", unit: "A", digits: 1, color: "red", dash: [], isEarlier: false, offset: 0 };
const series = (timestamps: number[], mean: number[], more: Partial<TrendSeries> = {}): TrendSeries => ({
  serialNumber: "10001",
  quantity: "current",
  customerName: "",
  facilityName: "",
  locationName: "Fan",
  locationId: 1,
  timezone: "UTC",
  resolution: "minute",
  stepSeconds: 100,
  timestamps,
  minimum: mean.map((value) => value - 1),
  mean,
  maximum: mean.map((value) => value + 2),
  completeness: 1,
  figures: {
    minimum: null,
    mean: null,
    maximum: null,
    percentile95: null,
    total: null,
    energyKwh: null,
    runSeconds: null,
    starts: null,
  },
  limits: [],
  ...more,
});
const line = (timestamps: number[], mean: number[], more?: Partial<TrendSeries>) => lineOf(series(timestamps, mean, more), span, look);

test("what is missing is a gap: before, between and after, but not half a point", () => {
  expect(gapsOf([0, 100, 200, 300, 400, 500, 600, 700, 800, 900], 100, span)).toEqual([]);
  expect(gapsOf([200, 300, 620], 100, span)).toEqual([
    { from: 0, to: 200 },
    { from: 400, to: 620 },
    { from: 720, to: 1_000 },
  ]);
  expect(gapsOf([40, 140], 100, { from: 0, to: 280 })).toEqual([]);
  expect(gapsOf([], 100, span)).toEqual([span]);
});

test("a point lies in the middle of its time; raw values where they are; an earlier period under this one", () => {
  expect(line([0, 100], [5, 6]).times).toEqual([50, 150]);
  expect(line([0, 100], [5, 6], { resolution: "raw" }).times).toEqual([0, 100]);
  const earlier = lineOf(
    series([0, 300], [5, 6], { limits: [{ line: "Nameplate", value: 9, kind: "nameplate" }] }),
    { from: 0, to: 400 },
    {
      ...look,
      isEarlier: true,
      offset: 10_000,
    },
  );
  expect(earlier.times).toEqual([10_050, 10_350]);
  expect(earlier.gaps).toEqual([{ from: 10_100, to: 10_300 }]);
  expect(earlier.limits).toEqual([]);
});

test("the cursor reads the nearest point, and nothing in a gap", () => {
  const shown = line([0, 100, 500], [5, 6, 7]);
  const means = [-100, 0, 99, 101, 160, 300, 560, 800].map((time) => valuesAt(shown, time)?.mean);
  expect(means).toEqual([undefined, 5, 5, 6, 6, undefined, 7, undefined]);
  expect(valuesAt(shown, 550)).toEqual({ minimum: 6, mean: 7, maximum: 9 });
  expect([nextMoment([shown], 150, 1), nextMoment([shown], 150, -1), nextMoment([shown], 550, 1), nextMoment([], 0, 1)]).toEqual([
    550,
    50,
    undefined,
    undefined,
  ]);
});

test("the axis holds what is in sight, its zero where it means something, and a limit that is near", () => {
  const range = (unit: string, ...limits: number[]) =>
    valueRange(
      [line([0, 100, 200], [50, 60, 500], { limits: limits.map((value) => ({ line: "x", value, kind: "limit" as const })) })],
      { from: 0, to: 60 },
      unit,
    );
  const [low, high] = range("V");
  expect(low).toBeLessThan(49);
  expect(low).toBeGreaterThan(47);
  // The point beside what is in sight is drawn up to the edge, the one after it is not.
  expect(high).toBeGreaterThan(62);
  expect(high).toBeLessThan(64);
  expect(valueRange([line([0, 100], [10, 60])], span, "A")[0]).toBe(0);
  expect(range("V", 68)[1]).toBeGreaterThan(68);
  expect(range("V", 5_000)[1]).toBe(high);
  expect(valueRange([], span, "V")).toEqual([0, 6]);
  const [still, top] = valueRange([line([0], [480], { minimum: [480], maximum: [480] })], span, "V");
  expect(still).toBeLessThan(480);
  expect(top).toBeGreaterThan(480);
});

test("a panel for each unit says in words what it shows", () => {
  const volts = lineOf(series([], []), span, { ...look, name: "Fan · Voltage", unit: "V" });
  const panels = panelsOf([line([0, 100], [5, 6]), volts, line([0, 900], [5, 60])]);
  expect(panels.map((panel) => describePanel(panel, "Last hour"))).toEqual([
    "Last hour: Fan · Current 4 to 8 A, 1 gap; Fan · Current 4 to 62 A, 1 gap",
    "Last hour: Fan · Voltage no values",
  ]);
});

test("where no line has a value differs from where one has none", () => {
  const [one, other] = [
    {
      gaps: [
        { from: 0, to: 10 },
        { from: 20, to: 30 },
      ],
    },
    { gaps: [{ from: 5, to: 25 }] },
  ];
  const common = [
    { from: 5, to: 10 },
    { from: 20, to: 25 },
  ];
  expect(commonGaps([one, other])).toEqual(common);
  expect(outside(one.gaps, common)).toEqual([
    { from: 0, to: 5 },
    { from: 25, to: 30 },
  ]);
  expect(outside(other.gaps, common)).toEqual([{ from: 10, to: 20 }]);
});
