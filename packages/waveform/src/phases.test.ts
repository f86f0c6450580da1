import { expect, test } from "vitest";
import { phasesOf } from "./phases.ts";

const channel = (name: string, phase: string, unit: string) => ({ name, phase, unit, values: Float64Array.of(1) });

test.each([
  ["A", 1],
  ["kA", 1e3],
  ["mA", 1e-3],
  ["µA", 1e-6],
  ["MA", 1e6],
])("a current in %s is taken to amperes, and is no voltage", (unit, factor) => {
  const analogs = [channel("IA", "", unit)];
  expect(phasesOf(analogs, "A")).toMatchObject([{ phase: "A", place: 0, factor }]);
  expect(phasesOf(analogs, "V")).toEqual([]);
});

test("phases are known by their field, else by their name; neutral, ground and sequence are left out", () => {
  const phases = (...analogs: [name: string, phase: string][]) =>
    phasesOf(
      analogs.map(([name, phase]) => channel(name, phase, "V")),
      "V",
    ).map(({ phase, place }) => [phase, place]);
  const inOrder = [
    ["A", 0],
    ["B", 1],
    ["C", 2],
  ];
  expect(phases(["VA", ""], ["VB", ""], ["VC", ""], ["VN", ""], ["V0", ""])).toEqual(inOrder);
  expect(phases(["x", "L1"], ["y", "BN"], ["z", "T"], ["VA", "N"], ["VB", "G"])).toEqual(inOrder);
  expect(phases(["U_L1", ""], ["F1-VL2", ""], ["VCW1", ""])).toEqual(inOrder);
  expect(phases(["U L3", ""], ["VRST", ""], ["OVA", ""], ["VABX", ""])).toEqual([["C", 2]]);
  expect(phases(["UL1L2", ""], ["VBC", ""], ["U_L3-L1", ""])).toEqual([
    ["A-B", 0],
    ["B-C", 1],
    ["C-A", 2],
  ]);
  // Of the kinds the one with more channels.
  expect(phases(["x", "A-B"], ["y", "L2-L3"], ["z", "AC"], ["VA", ""])).toEqual([
    ["A-B", 0],
    ["B-C", 1],
    ["C-A", 2],
  ]);
  // Where none is named the first three stand for them.
  expect(phases(["one", ""], ["two", ""], ["three", ""], ["four", ""])).toEqual([
    ["", 0],
    ["", 1],
    ["", 2],
  ]);
});
