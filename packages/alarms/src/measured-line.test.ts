import { expect, test } from "vitest";
import { alarmKinds, momentaryAlarmKinds } from "./alarm-kinds.ts";
import { measuredLine } from "./measured-line.ts";

test.each([
  ["lossOfPhase", 2, 0, "Phase: 2"],
  ["frequentStarts", 6.6, 6, "Starts in an hour: 7, limit 6"],
  ["longStart", 12.6, 10, "Acceleration: 13 s, limit 10 s"],
  ["voltageSag", 89.84, 90, "Lowest second: 89.8 % of the nameplate voltage"],
  ["fieldLoss", 97.5, 90, "Field current: 2.5 % of its nameplate, limit 10 %"],
  ["underload", 70, 60, "Current: 30.0 % of full load, limit 40 %"],
  ["harmonicSignature", 3.2, 3, "Signature Bearing: 3.2 % of the fundamental current, limit 3 %"],
  ["overVoltage", 8.7, 8, "Measured: 8.7 %, limit 8 %"],
])("%s of %d reads as people say it", (kind, value, limit, line) => {
  expect(measuredLine({ kind, value, limit, name: "Bearing" })).toBe(line);
});

test("without a figure there is no line", () => {
  for (const kind of alarmKinds) expect(measuredLine({ kind, value: undefined, limit: 1 })).toBeUndefined();
});

test("a stop and what only seconds show end in the moment they begin, all others last", () => {
  expect(alarmKinds.filter((kind) => momentaryAlarmKinds.has(kind))).toEqual([
    "stopOfInterest",
    "voltageSag",
    "lossOfPhaseTransient",
    "longStart",
  ]);
});
