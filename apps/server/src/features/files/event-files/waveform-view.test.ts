import type { Waveform } from "@busbar/waveform/waveform.ts";
import { expect, test } from "vitest";
import { viewWaveform } from "./waveform-view.ts";

const count = 10;
/** Ten samples from -0.5 s on, of this many channels; digital ones turn at their own sample, or never. */
const waveform = (analogs: number, digitals: readonly (number | "on" | "off")[]): Waveform => ({
  format: "COMTRADE",
  station: "",
  device: "",
  revision: "",
  triggeredAt: undefined,
  utcOffset: undefined,
  lineFrequency: 60,
  times: Float64Array.from({ length: count }, (_, index) => (index - 5) / 10),
  analogs: Array.from({ length: analogs }, (_, place) => ({
    name: `I${place}`,
    phase: "A",
    unit: "A",
    values: Float64Array.from({ length: count }, (__, index) => (index === 3 ? NaN : 123.456_789_12 + place + index)),
  })),
  digitals: digitals.map((turn, place) => ({
    name: `D${place}`,
    values: Uint8Array.from({ length: count }, (_, index) => (turn === "on" || (typeof turn === "number" && index >= turn) ? 1 : 0)),
  })),
  facts: {},
  warnings: [],
});
const whole = { from: undefined, to: undefined, columns: 1_000 };

test("A-63 the first 48 analog channels and 64 that turn are shown; how many are left out is said, and what never turns is named", () => {
  const view = viewWaveform(waveform(50, ["on", ...Array.from({ length: 70 }, () => 4), "off", "on"]), whole);
  expect([view.analogs.length, view.digitals.length, view.omittedChannels]).toEqual([48, 64, 2 + 6]);
  expect([view.alwaysOn, view.alwaysOff]).toEqual([["D0", "D72"], ["D71"]]);
  expect(
    viewWaveform(
      waveform(
        48,
        Array.from({ length: 64 }, () => 4),
      ),
      whole,
    ).omittedChannels,
  ).toBe(0);
});

test("A-63 values have seven digits, what a recorder left out is nothing, and turns are counted from the first sample that is shown", () => {
  const view = viewWaveform(waveform(1, [4, 8]), whole);
  expect(view).toMatchObject({ start: -0.5, end: 0.4, from: -0.5, to: 0.4, sampleCount: count, isEverySample: true });
  expect(view.analogs[0]!.values.slice(0, 5)).toEqual([123.4568, 124.4568, 125.4568, null, 127.4568]);
  expect(view.digitals).toEqual([
    { name: "D0", first: 0, turns: [4] },
    { name: "D1", first: 0, turns: [8] },
  ]);
});

test("A-63 a part has one sample beyond each end, and ends where the record does", () => {
  const part = (from: number, to: number) => {
    const { from: begin, to: end, times } = viewWaveform(waveform(1, []), { from, to, columns: 1_000 });
    return [begin, end, times[0], times.at(-1)];
  };
  expect(part(-0.15, 0.15)).toEqual([-0.15, 0.15, -0.2, 0.3]);
  expect(part(-9, 9)).toEqual([-0.5, 0.4, -0.5, 0.4]);
  expect(part(0.4, 9)).toEqual([0.4, 0.4, 0.3, 0.4]);
});
