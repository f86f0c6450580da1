import { expect, test } from "vitest";
import { groupSensorData } from "./sensor-groups.ts";

test("SEN-03 keys fall into four groups by their prefix, case-sensitive; harmonics by their last three characters", () => {
  const groups = groupSensorData({
    npVoltage: 460,
    nPower: 1,
    NPx: 2,
    fieldCurrentAvg: 12.4,
    Fieldx: 3,
    voltageAvg: 480,
    voltageMin: 470,
    voltageMax: 490,
    currentAvg: 5,
    harmonicI3_013: 0.5,
    harmonicV1_005: 1.2,
    harmonicI3_005: null,
    fw: "4.7.2",
  });
  expect(groups.nameplate).toEqual([["npVoltage", 460]]);
  expect(groups.field).toEqual([["fieldCurrentAvg", 12.4]]);
  expect(groups.statistics).toEqual([{ name: "voltage", average: 480, minimum: 470, maximum: 490 }]);
  expect(groups.plain.map(([key]) => key)).toEqual(["currentAvg", "fw", "nPower", "NPx", "Fieldx"]);
  expect(groups.channels).toEqual(["V1", "I3"]);
  expect(groups.harmonics.map(({ suffix, values }) => [suffix, Object.fromEntries(values)])).toEqual([
    ["005", { V1: 1.2, I3: null }],
    ["013", { I3: 0.5 }],
  ]);
});

test("a record without data has empty groups", () => {
  expect(groupSensorData({})).toEqual({ nameplate: [], field: [], statistics: [], plain: [], channels: [], harmonics: [] });
});
