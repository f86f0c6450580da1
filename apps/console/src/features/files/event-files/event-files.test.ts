import type { EventWaveform } from "@busbar/contract/files/event-files.ts";
import { describe, expect, test } from "vitest";
import { waveformColumns } from "./waveform-columns.ts";
import { moved, readRange, writeRange, zoomed } from "./time-range.ts";
import { describeAnalogs, describeLanes, formatMilliseconds, lanesOf, panelsOf, readAt } from "./waveform-series.ts";

const whole = { from: -0.1, to: 0.3 };

describe("the part of a record that is shown", () => {
  test("is read from the address, and anything else there is no range", () => {
    expect(readRange("-0.016875", "0.045197")).toEqual({ from: -0.016875, to: 0.045197 });
    expect(readRange(...(Object.values(writeRange({ from: -1 / 3, to: 2 })) as [string, string]))).toEqual({ from: -0.333333, to: 2 });
    for (const [from, to] of [
      ["", ""],
      ["0.1", ""],
      ["0.2", "0.1"],
      ["0.1", "0.1"],
      ["1e9", "2e9"],
      ["now", "then"],
    ] as const)
      expect(readRange(from, to)).toBeUndefined();
  });

  test("halves around its middle or around the cursor, stays within the record, and is all of it in the end", () => {
    expect(zoomed(whole, whole, 0.5)).toEqual({ from: expect.closeTo(0, 9), to: expect.closeTo(0.2, 9) });
    expect(zoomed(whole, whole, 0.5, -0.1)).toEqual({ from: -0.1, to: expect.closeTo(0.1, 9) });
    expect(zoomed(whole, whole, 0.5, 9)).toEqual({ from: expect.closeTo(0.1, 9), to: expect.closeTo(0.3, 9) });
    expect(zoomed({ from: 0, to: 0.2 }, whole, 2)).toBeUndefined();
    const least = zoomed({ from: 0, to: 1e-6 }, whole, 0.5)!;
    expect(least.to - least.from).toBeCloseTo(1e-5, 9);
  });

  test("moves by a share of itself and stops at the ends", () => {
    expect(moved({ from: 0, to: 0.1 }, whole, 0.5)).toEqual({ from: 0.05, to: expect.closeTo(0.15, 9) });
    expect(moved({ from: 0, to: 0.1 }, whole, -9)).toEqual({ from: -0.1, to: expect.closeTo(0, 9) });
    expect(moved(whole, whole, 0.5)).toBeUndefined();
  });
});

const analog = (name: string, phase: string, unit: string, values: (number | null)[]) => ({ name, phase, unit, values });
const waveform: EventWaveform = {
  start: -0.1,
  end: 0.3,
  from: -0.1,
  to: 0.3,
  sampleCount: 4,
  isEverySample: true,
  times: [-0.1, 0, 0.1, 0.3],
  analogs: [
    analog("IA", "", "A", [1, 3, null, -200]),
    analog("VAB", "", "kV", [0.5, 0.25, 0, 0]),
    analog("IN\u202E", "N", "A", [null, null, null, null]),
    analog("W3", "c", "A", [0, 0, 0, 0]),
    analog("X", "", "", [1, 1, 1, 1]),
  ],
  digitals: [
    { name: "TRIP", first: 0, turns: [2] },
    { name: "52A", first: 1, turns: [1, 3] },
  ],
  alwaysOn: [],
  alwaysOff: [],
  omittedChannels: 0,
};

describe("the channels of a record", () => {
  const panels = panelsOf(waveform);
  const lanes = lanesOf(waveform);

  test.each([
    ["mA", "Current"],
    ["kA", "Current"],
    ["mV", "Voltage"],
    ["MV", "Voltage"],
    ["kvar", "Power"],
    ["°", "Angle"],
    ["bar", "Other"],
  ])("A-23 %s is under %s", (unit, title) => {
    expect(panelsOf({ ...waveform, analogs: [analog("X", "", unit, [1])] })[0]?.title).toBe(title);
  });

  test("are in a panel per unit, phases in their colours, names without hidden characters", () => {
    expect(panels.map(({ title, unit, series }) => [title, unit, series.map(({ label, color }) => `${label} ${color}`)])).toEqual([
      ["Current", "A", ["IA var(--phase-1)", "IN\u2039U+202E\u203A var(--wave-5)", "W3 var(--phase-3)"]],
      ["Voltage", "kV", ["VAB var(--phase-1)"]],
      ["Without unit", "", ["X var(--wave-4)"]],
    ]);
  });

  test("digital ones turn where the answer says", () => {
    expect(lanes.map(({ states }) => states.join(""))).toEqual(["0011", "1001"]);
  });

  test("are named in words, and read at a place", () => {
    expect(describeAnalogs(panels[0]!)).toBe("Current: IA -200 to 3 A, IN\u2039U+202E\u203A no values, W3 0 to 0 A");
    expect(describeLanes(lanes, waveform.times)).toBe("Digital channels: TRIP on from 100.0 ms, 52A on from the start");
    expect(
      readAt(panels, lanes, 2)
        .map(({ name, text }) => `${name} ${text}`)
        .join(),
    ).toBe("IA \u2013 A,IN\u2039U+202E\u203A \u2013 A,W3 0 A,VAB 0 kV,X 1,TRIP 1,52A 0");
  });

  test("are columns of a table, with their units, and as numbers in a file", () => {
    const columns = waveformColumns(waveform.times, panels, lanes);
    const ofRow = (place: number) => columns.map(({ label, text }) => [label, text(place)]);
    expect(ofRow(3)).toEqual([
      ["Time (ms)", "300.000"],
      ["IA (A)", "-200"],
      ["IN\u2039U+202E\u203A (A)", "–"],
      ["W3 (A)", "0"],
      ["VAB (kV)", "0"],
      ["X", "1"],
      ["TRIP", 1],
      ["52A", 1],
    ]);
    expect(columns.map(({ label, file }) => [file?.label ?? label, file?.text?.(0)])).toEqual([
      ["Time s", -0.1],
      ["IA A", 1],
      ["IN\u2039U+202E\u203A A", null],
      ["W3 A", 0],
      ["VAB kV", 0.5],
      ["X", 1],
      ["TRIP", undefined],
      ["52A", undefined],
    ]);
    expect(new Set(columns.map(({ key, label }) => key ?? label)).size).toBe(columns.length);
    expect(columns.map(({ text }) => text(9))).toEqual(["0.000", "–", "–", "–", "–", "–", null, null]);
  });

  test("times are milliseconds as fine as the range, and zero has no sign", () => {
    expect([0.123456, -0.00001, 3.21].map((seconds, index) => formatMilliseconds(seconds, [0.01, 1, 5][index]!))).toEqual([
      "123.456",
      "0.0",
      "3210",
    ]);
    expect([2, 0.2, 0.02].map((range) => formatMilliseconds(0.05, range))).toEqual(["50.0", "50.00", "50.000"]);
  });
});
