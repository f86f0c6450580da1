import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { expect, test } from "vitest";
import { barScale, currentMarks, powerMarks, shareOf, voltageMarks } from "./bar-scale.ts";

const metering = (showLineFrequency: boolean) => ({ showLineFrequency, limits: { powerNameplateKw: 10.57 } }) as Metering;

test("A-29 the nameplate of one phase says so: beside the total of three it would read as an overload", () => {
  expect(powerMarks(metering(true))).toEqual([{ label: "nameplate of a phase", value: 10.57 }]);
  expect(powerMarks(metering(false))).toEqual([{ label: "nameplate", value: 10.57 }]);
});

test("a bar ends behind its last mark, or at the greatest value, whichever is more", () => {
  const limits = { currentNameplate: 100, currentOver: 115, voltageUnder: 414, voltageNameplate: 460, voltageOver: 497 };
  const currents = currentMarks({ limits } as Metering);
  expect(barScale([50, -80, null], currents)).toEqual({
    full: expect.closeTo(126.5, 9),
    marks: [
      { label: "nameplate", value: 100 },
      { label: "limit", value: 115 },
    ],
  });
  expect(barScale([50, -160, null], currents).full).toBe(160);
  expect(voltageMarks({ limits } as Metering)).toEqual([
    { label: "lowest", value: 414 },
    { label: "nameplate", value: 460 },
    { label: "highest", value: 497 },
  ]);
  for (const marks of [currentMarks, voltageMarks]) expect(barScale([7], marks({} as Metering))).toEqual({ full: 7, marks: [] });
});

test("a value fills its share of the bar, in either direction; without a scale and without a value it fills nothing", () => {
  const scale = barScale([160], []);
  expect([40, -80, 0, null].map((value) => shareOf(value, scale))).toEqual([0.25, 0.5, 0, 0]);
  expect(shareOf(5, barScale([null], []))).toBe(0);
});
