import { blockMs, demandOfSample } from "@busbar/metering/demand.ts";
import { allPhases, sum } from "@busbar/metering/phases.ts";
import { expect, test } from "vitest";
import { addPower, isDemandDue, noDemand, type PowerDemand } from "./power-demand.ts";
import { columnSlotCount, slotCount } from "./scalar-slots.ts";
import type { ScalarReading } from "./telemetry.ts";

const noon = Date.UTC(2026, 5, 1, 12);

function reading(atMs: number, powers: (number | undefined)[], isHistorical = false): ScalarReading {
  const values = Array.from({ length: slotCount }, () => Number.NaN);
  powers.forEach((kw, phase) => (values[columnSlotCount + phase] = kw ?? Number.NaN));
  return { atMs, isHistorical, values };
}

const add = (demand: PowerDemand, ...readings: ScalarReading[]) =>
  readings.reduce((known, each) => addPower(known, each, allPhases, 10), demand);

test("sums up what the formula of demand says, across the quarters of the hour", () => {
  const times = Array.from({ length: 200 }, (_, index) => noon - 900_000 + index * 10_000 + (index % 7) * 300);
  const kw = (at: number) => 50 + ((at / 1000) % 90);
  const demand = add(noDemand, ...times.map((at) => reading(at, [kw(at), 0, 0])));
  const parts = times.slice(1).flatMap((at, index) => demandOfSample(kw(at), at, times[index], 10));
  for (const startMs of new Set(parts.map((part) => part.startMs))) {
    const expected = parts.filter((part) => part.startMs === startMs);
    const block = demand.blocks.find((each) => each.startMs === startMs);
    expect(block?.kwSeconds).toBeCloseTo(sum(expected.map(({ kwSeconds }) => kwSeconds)), 6);
    expect(block?.coveredSeconds).toBeCloseTo(sum(expected.map(({ coveredSeconds }) => coveredSeconds)), 6);
  }
  expect(demand.blocks.length).toBeGreaterThan(2);
});

test("active phases only; a scalar without power, an older one and a stored one add nothing", () => {
  const first = add(noDemand, reading(noon, [10, 20, 30]));
  expect(first).toEqual({ lastMs: noon, blocks: [] });
  const wired = addPower(first, reading(noon + 10_000, [10, 20, 30]), [true, false, true], 10);
  expect(wired.blocks).toEqual([{ startMs: noon, kwSeconds: 400, coveredSeconds: 10 }]);
  expect(addPower(wired, reading(noon + 20_000, [undefined, 7, undefined]), [true, false, true], 10)).toBe(wired);
  expect(add(wired, reading(noon + 10_000, [9, 9, 9]), reading(noon + 20_000, [9, 9, 9], true))).toBe(wired);
  expect(add(wired, reading(noon + 20_000, [1, undefined, 2])).blocks[0]).toMatchObject({ kwSeconds: 430, coveredSeconds: 20 });
});

test("is written when a minute is full or a quarter is over", () => {
  const seconds = (count: number, from = noon) =>
    add(noDemand, ...Array.from({ length: count }, (_, index) => reading(from + index * 10_000, [1, 1, 1])));
  expect(isDemandDue(noDemand)).toBe(false);
  expect(isDemandDue(seconds(6))).toBe(false);
  expect(isDemandDue(seconds(7))).toBe(true);
  expect(isDemandDue(seconds(3, noon + blockMs - 10_000))).toBe(true);
});
