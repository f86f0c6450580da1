import { harmonicSignatureHelp, NewLocation, type Location } from "@busbar/contract/directory/locations.ts";
import { expect, test } from "vitest";
import { enterInstant } from "#lib/entered-instant.ts";
import { asksForWiringReason, changedOf, locationValues, readLocation, type LocationValues } from "./location-values.ts";

const flags = [
  { name: "rotor", display_name: "Rotor", value: true, notes: "", node_type: "Node" },
  { name: "belt", display_name: "Belt", value: false, notes: "", node_type: "Node" },
];
const location: Location = {
  ...NewLocation.parse({ name: "Hoist 1", equipmentType: "DCMotor", timezone: "America/Chicago" }),
  equipmentStartTimestamp: 1_790_000_000,
  nodeSerialNumber: "18001",
  secondaryNodeSerialNumber: "18002",
  id: 7,
  nodes: [],
  revision: 3,
};
const entered = enterInstant(location.equipmentStartTimestamp, location.timezone);
const read = (change: Partial<LocationValues> = {}) =>
  readLocation(
    { ...locationValues(location, flags, entered), ...change },
    { entered, nodeTypeOf: () => "Node", isDeployed: () => false, location },
  );

test("CUS-11 a secondary node goes with the equipment that has one, and is not sent with another", () => {
  expect(read().location?.secondaryNodeSerialNumber).toBe("18002");
  expect(read({ equipmentType: "InductionMotor" }).location).toMatchObject({ nodeSerialNumber: "18001", secondaryNodeSerialNumber: null });
});

test("only what was changed is sent, and alerts that are as they are by default are no change", () => {
  const changed = (change: Partial<LocationValues>) => changedOf(location, read(change).location!, flags);
  expect(changed({})).toEqual({});
  expect(changed({ name: " Hoist 2 ", npHp: "50" })).toEqual({ name: "Hoist 2", npHp: 50 });
  expect(changed({ faultLibraryAlertFlags: { belt: true, rotor: true } })).toEqual({ faultLibraryAlertFlags: { rotor: true, belt: true } });
});

test.each([
  ["18003", "InductionMotor", "Node", true],
  ["18003", "InductionMotor", "subNode", true],
  ["", "InductionMotor", "Node", false],
  // They are here already.
  ["18001", "InductionMotor", "Node", false],
  ["18002", "InductionMotor", "Node", false],
  // They have no wiring to be judged.
  ["18003", "DCMotor", "Node", false],
  ["18003", "InductionMotor", "SEL", false],
] as const)(
  "node %s of a %s, a %s, that is Deployed already asks why without a wiring verdict: %s",
  (serial, equipmentType, type, asks) => {
    const isAsked = (isDeployed: boolean) =>
      asksForWiringReason({ nodeSerialNumber: serial, equipmentType }, { nodeTypeOf: () => type, isDeployed: () => isDeployed, location });
    expect([isAsked(true), isAsked(false)]).toEqual([asks, false]);
  },
);

test("a start that the clocks skip is refused beside its field", () => {
  expect(read({ equipmentStart: "2026-03-08 02:30:00" }).errors).toMatchObject({
    equipmentStart: { message: "Clocks in America/Chicago skip this time" },
  });
});

test("a nameplate's zero is shown as such", () => {
  expect(locationValues({ ...location, npHp: 0 }, flags, entered).npHp).toBe("0");
});

test("CUS-15 harmonic signatures are read by pairs, and what is wrong is said in its box", () => {
  const signed: Location = { ...location, harmonicSignatures: [["Gear_mesh 1", "29.5;-59"]] };
  expect(locationValues(signed, flags, entered).harmonicSignatures).toEqual([{ name: "Gear_mesh 1", frequencies: "29.5;-59" }]);
  const harmonicSignatures = [
    { name: "Belt", frequencies: "1" },
    { name: "", frequencies: "2" },
    { name: "Rotor", frequencies: "x" },
  ];
  const wrong = { type: "rule", message: harmonicSignatureHelp };
  expect(read({ harmonicSignatures }).errors?.harmonicSignatures).toEqual([undefined, { name: wrong }, { frequencies: wrong }]);
  expect(read({ harmonicSignatures: harmonicSignatures.slice(0, 1) }).location?.harmonicSignatures).toEqual([["Belt", "1"]]);
});
