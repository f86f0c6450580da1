import { describe, expect, test } from "vitest";
import { addDemand, blockMs, dailyFigures, demandOfDay, demandOfSample, type CompleteDay, type DemandBlock } from "./demand.ts";

const noon = Date.UTC(2026, 5, 1, 12);

/** Blocks of samples every 10 s, from just after `fromMs` to `toMs`. */
function blocksOf(kwAt: (atMs: number) => number | undefined, fromMs: number, toMs: number): DemandBlock[] {
  let blocks: DemandBlock[] = [];
  let previous: number | undefined = fromMs;
  for (let at = fromMs + 10_000; at <= toMs; at += 10_000) {
    const kw = kwAt(at);
    if (kw === undefined) continue;
    for (const part of demandOfSample(kw, at, previous, 10)) blocks = addDemand(blocks, part);
    previous = at;
  }
  return blocks;
}

test("a sample stands for the seconds before it, divided among the quarters of the hour", () => {
  expect(demandOfSample(60, noon + 4_000, noon - 6_000, 10)).toEqual([
    { startMs: noon - blockMs, kwSeconds: 360, coveredSeconds: 6 },
    { startMs: noon, kwSeconds: 240, coveredSeconds: 4 },
  ]);
  expect(demandOfSample(60, noon, noon - 10_000, 10)).toEqual([{ startMs: noon - blockMs, kwSeconds: 600, coveredSeconds: 10 }]);
});

test("the first sample adds nothing, nor does one that is not later; after a gap one adds 1.5 intervals", () => {
  expect(demandOfSample(60, noon, undefined, 10)).toEqual([]);
  expect(demandOfSample(60, noon, noon, 10)).toEqual([]);
  expect(demandOfSample(60, noon, noon + 1, 10)).toEqual([]);
  expect(demandOfSample(60, noon + 100_000, noon, 10)).toEqual([{ startMs: noon, kwSeconds: 900, coveredSeconds: 15 }]);
  // A node that sends every 20 minutes covers more than one quarter with a sample.
  expect(demandOfSample(1, noon, noon - 1_200_000, 1_200).map(({ coveredSeconds }) => coveredSeconds)).toEqual([300, 900]);
});

test("parts of one block add up, and blocks that come late are in the order of time", () => {
  const block = (quarter: number, kwSeconds = 100, coveredSeconds = 10) => ({
    startMs: noon + quarter * blockMs,
    kwSeconds,
    coveredSeconds,
  });
  const blocks = [2, 0, 1, 0].reduce((known, quarter) => addDemand(known, block(quarter)), [] as DemandBlock[]);
  expect(blocks).toEqual([block(0, 200, 20), block(1), block(2)]);
});

describe("a day", () => {
  test("its average is weighted by time, its peak is the highest complete quarter", () => {
    const blocks = blocksOf((at) => (at <= noon + blockMs ? 100 : 40), noon, noon + 2.5 * blockMs);
    expect(blocks).toHaveLength(3);
    const day = demandOfDay(blocks, noon + 2.5 * blockMs);
    expect(day.averageKw).toBeCloseTo((100 + 1.5 * 40) / 2.5, 9);
    expect([day.peakKw, day.coveredSeconds]).toEqual([100, 2_250]);
  });
  test("the quarter that is not over makes no peak yet", () => {
    const blocks = blocksOf(() => 500, noon, noon + 0.9 * blockMs);
    expect(demandOfDay(blocks, noon + 0.9 * blockMs)).toMatchObject({ averageKw: 500, peakKw: null });
    expect(demandOfDay(blocks, noon + blockMs).peakKw).toBe(500);
  });
  test("a quarter that is hardly covered makes no peak", () => {
    const blocks = blocksOf((at) => (at < noon + 60_000 ? 900 : undefined), noon, noon + blockMs);
    expect(demandOfDay(blocks, noon + 2 * blockMs)).toMatchObject({ averageKw: 900, peakKw: null });
  });
  test("a quarter that is covered by half makes a peak", () => {
    const half = { startMs: noon, kwSeconds: 450 * 7, coveredSeconds: 450 };
    expect(demandOfDay([half], noon + blockMs).peakKw).toBe(7);
    expect(demandOfDay([{ ...half, coveredSeconds: 449.9 }], noon + blockMs).peakKw).toBeNull();
  });
  test("nothing covered: no figures", () => {
    expect(demandOfDay([], noon)).toEqual({ averageKw: null, peakKw: null, coveredSeconds: 0 });
  });
});

describe("daily figures", () => {
  const day = (averageKw: number, peakKw: number, coveredSeconds = 86_400, lengthSeconds = 86_400): CompleteDay => ({
    averageKw,
    peakKw,
    coveredSeconds,
    lengthSeconds,
  });
  test("are means over days; one that is covered less than half does not count", () => {
    expect(dailyFigures([day(10, 30), day(20, 50), day(900, 900, 43_199)])).toEqual({ averageKw: 15, peakKw: 40 });
    expect(dailyFigures([day(10, 30, 43_200)])).toEqual({ averageKw: 10, peakKw: 30 });
    // The day of 23 hours is half covered with less.
    expect(dailyFigures([day(10, 30, 41_400, 82_800)]).averageKw).toBe(10);
  });
  test("days without a peak leave the mean of peaks to the others", () => {
    expect(dailyFigures([day(10, 30), { ...day(20, 0), peakKw: null }])).toEqual({ averageKw: 15, peakKw: 30 });
    expect(dailyFigures([{ ...day(20, 0), peakKw: null }])).toEqual({ averageKw: 20, peakKw: null });
  });
  test("look back on 30 days, and are empty without any", () => {
    expect(dailyFigures([...Array.from({ length: 30 }, () => day(10, 20)), day(1_000, 1_000)])).toEqual({ averageKw: 10, peakKw: 20 });
    // Days that do not count are days all the same: no older one takes their place.
    const skipped = Array.from({ length: 29 }, () => day(900, 900, 0));
    expect(dailyFigures([...skipped, day(10, 20), day(1_000, 1_000)])).toEqual({ averageKw: 10, peakKw: 20 });
    expect(dailyFigures([])).toEqual({ averageKw: null, peakKw: null });
  });
});
