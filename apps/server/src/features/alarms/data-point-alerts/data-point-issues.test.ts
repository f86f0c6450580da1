import { describe, expect, test } from "vitest";
import { settings } from "@busbar/alarms/testing/feed.ts";
import { findDataPointIssues } from "./data-point-issues.ts";

const statistics = (name: string, mean: number) => ({
  [`${name}Avg`]: mean,
  [`${name}Min`]: 0.9 * mean,
  [`${name}Max`]: 1.1 * mean,
});
const right = {
  interval: 900,
  samples: 900,
  missing: 0,
  ...statistics("lineFrequency", 60),
  ...Object.assign(
    {},
    ...["", "1", "2", "3"].map((phase) => ({ ...statistics(`voltage${phase}`, 460), ...statistics(`current${phase}`, 80) })),
  ),
  ...statistics("powerKw", 50),
  powerFactorAvg: 0.86,
};
const issuesOf = (values: Record<string, number | string | null>, changed: Partial<typeof settings> = {}) =>
  findDataPointIssues({ ...right, ...values }, { ...settings, ...changed });

test("a right data point raises no issue, nor does a machine that is stopped or a supply that is gone", () => {
  expect(issuesOf({})).toEqual([]);
  const still = Object.fromEntries(
    ["", "1", "2", "3"].flatMap((phase) => ["Avg", "Min", "Max"].map((each) => [`current${phase}${each}`, 0])),
  );
  expect(issuesOf(still)).toEqual([]);
  const dark = Object.fromEntries(
    ["", "1", "2", "3"].flatMap((phase) => ["Avg", "Min", "Max"].map((each) => [`voltage${phase}${each}`, 0])),
  );
  expect(issuesOf({ ...still, ...dark, lineFrequencyAvg: 0, lineFrequencyMin: 0, lineFrequencyMax: 0 })).toEqual([]);
});

describe("incomplete", () => {
  test("is less than half of the seconds", () => {
    expect(issuesOf({ samples: 450, missing: 450 })).toEqual([]);
    expect(issuesOf({ samples: 449, missing: 451 })).toEqual([{ kind: "incomplete", detail: "449 of 900 seconds measured" }]);
  });

  test("is a quantity without a value, unless its channel is inactive", () => {
    expect(issuesOf({ current2Avg: null, powerKwAvg: null })).toEqual([{ kind: "incomplete", detail: "no powerKwAvg; no current2Avg" }]);
    expect(issuesOf({ current2Avg: null }, { activeCurrents: [true, false, true] })).toEqual([]);
    const none = Object.fromEntries(["voltageAvg", "currentAvg", "powerKwAvg", "voltage1Avg", "voltage2Avg"].map((key) => [key, null]));
    expect(issuesOf(none)[0]?.detail).toBe("no voltageAvg; no currentAvg; no powerKwAvg; no voltage1Avg; and 1 more");
  });
});

describe("implausible", () => {
  test.each<[string, Record<string, number>, string | undefined]>([
    ["three times the nameplate voltage", { voltage1Max: 1_380 }, undefined],
    ["more", { voltage1Max: 1_381 }, "voltage1Max is 1381 V"],
    ["a negative current", { current3Min: -0.5 }, "current3Min is -0.5 A"],
    ["an inrush", { currentMax: 2_500 }, undefined],
    ["more than any inrush", { currentMax: 2_501 }, "currentMax is 2501 A"],
    ["a power factor of 1", { powerFactorAvg: 1.002 }, undefined],
    ["one above 1", { powerFactorAvg: 1.01 }, "powerFactorAvg is 1.01"],
    ["a generator's", { powerFactorAvg: -0.9 }, undefined],
    ["a frequency of no grid", { lineFrequencyMin: 39 }, "lineFrequencyMin is 39 Hz"],
    ["a mean above the highest value", { current2Avg: 90 }, "current2Avg 90 is not within 72 and 88"],
    ["seconds that do not add up", { samples: 890 }, "890 measured and 0 missing do not make 900 seconds"],
  ])("%s", (_, values, detail) => {
    expect(issuesOf(values)).toEqual(detail === undefined ? [] : [{ kind: "implausible", detail }]);
  });

  test("says nothing of values against a nameplate that is unknown", () => {
    expect(issuesOf({ voltage1Max: 5_000 }, { npVoltage: undefined, npCurrent: undefined })).toEqual([]);
  });
});

describe("a dead channel", () => {
  const dead = { current2Avg: 0.2, current2Min: 0, current2Max: 0.9 };
  test("stays at noise in every second while the others are loaded", () => {
    expect(issuesOf(dead)).toEqual([{ kind: "deadChannel", detail: "current 2 measures nothing while the others do" }]);
    expect(issuesOf({ ...dead, current2Max: 40 })).toEqual([]);
    expect(issuesOf({ ...dead, current1Avg: 20, current1Min: 18, current1Max: 22 })).toEqual([]);
  });

  test("is none when it is inactive, or the only one", () => {
    expect(issuesOf(dead, { activeCurrents: [true, false, true] })).toEqual([]);
    expect(issuesOf(dead, { activeCurrents: [false, true, false] })).toEqual([]);
  });

  test("of voltage", () => {
    expect(issuesOf({ voltage3Avg: 1, voltage3Min: 0, voltage3Max: 4 })).toEqual([
      { kind: "deadChannel", detail: "voltage 3 measures nothing while the others do" },
    ]);
  });
});
