import { expect, test } from "vitest";
import type { WiredNode } from "./wiring.read-model.ts";
import { toNodeWiring } from "./wiring.view.ts";

const now = 1_800_000_000;
const node: WiredNode = {
  serial: 10_001,
  slot: 1,
  timezone: "America/Chicago",
  equipmentType: "InductionMotor",
  starter: "",
  npVoltage: 460,
  npCurrent: 60,
  npHp: 50,
  npPoles: 4,
  vNoise: "5",
  iNoise: "1",
  scalarInterval: 10,
  active: true,
  scalarAt: now,
  // lf, currents, voltages, kW, kvar and power factors by phase.
  lastScalarData: `1,1,${now * 1000},60,40,40,40,460,460,460,9,9,9,5.5,5.5,5.5,0.85,0.85,0.85`,
  currentThd: null,
};
const judged = (change: Partial<WiredNode>) => {
  const { outcome, sentence } = toNodeWiring({ ...node, ...change }, now);
  return [outcome, sentence];
};

test.each([
  [{ slot: null }, "This node is at no location, so it is not known what it measures."],
  [{ slot: 2 }, "This node measures a field winding, which has no phases."],
  [{ equipmentType: "DCMotor" }, "A direct current has no phases that could be exchanged."],
  [{ scalarAt: null }, "No values have come from this node yet."],
  [{ active: false }, "Not all three voltages, currents and powers are measured, so the wiring cannot be judged."],
  [
    { lastScalarData: "1,1,0,60,40,40,,460,460,460,9,9,9,5,5,5" },
    "Not all three voltages, currents and powers are measured, so the wiring cannot be judged.",
  ],
] as const)("a node with %j has no wiring to judge, and says why", (change, sentence) => {
  expect(judged(change)).toEqual(["none", sentence]);
});

test("a node that sends is judged, as what its machine is, and old values say of when they are", () => {
  expect(judged({})[0]).toBe("right");
  expect(judged({ scalarAt: now - 3_600 })).toEqual([
    "old",
    expect.stringMatching(/^The values are too old to tell: the last ones are of 2027-01-15 01:00:00 CST\.$/),
  ]);
  // An induction motor cannot do without reactive power, as the others can.
  const kinds = [
    {},
    { starter: "VFD" },
    { equipmentType: "UtilityMain" },
    { equipmentType: "Rectifier" },
    { equipmentType: "SynchronousMotor" },
  ];
  const turned = { lastScalarData: `1,1,${now * 1000},60,40,40,40,460,460,460,10.6,10.6,10.6,0.2,0.2,0.2,1,1,1` };
  expect(kinds.map((kind) => judged({ ...turned, ...kind })[0])).toEqual(["wrong", "right", "right", "right", "right"]);
});
