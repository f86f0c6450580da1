import { expect, test } from "vitest";
import type { MeteredLocation, MeteredNode, MeterRow } from "./metering.read-model.ts";
import { toMetering, type MeteringInput } from "./metering.view.ts";

const all = [true, true, true] as const;
const node: MeteredNode = {
  serial: 10_001,
  type: "Node",
  scalarInterval: 1,
  activeVoltages: all,
  activeCurrents: all,
  activePowers: all,
  npCurrent: 100,
  npVoltage: 480,
  iNoise: "0.5",
  overVoltage: 10,
  underVoltage: 10,
  overCurrent: 10,
};
const location: MeteredLocation = {
  id: 7,
  name: "Feed Pump",
  siteName: "",
  facilityName: "Mill",
  equipmentType: "Motor",
  timezone: "UTC",
  npHp: 100,
  primary: node,
  secondary: null,
};
// Currents, voltages, kW, kvar and power factors of three phases.
const meter = {
  serial: 10_001,
  type: "Node",
  isConnected: true,
  clearedScalarAt: null,
  lastScalarAt: 1_000,
  lastScalarData: "1,1,1000000,60,11,12,13,481,482,483,1,2,3,4,8,12,0.7,0.8,0.9",
  lastScalarTimes: "",
  meteredAt: null,
} as MeterRow;

function read(change: Partial<MeteredNode> = {}, input: Partial<MeteringInput> = {}) {
  return toMetering({
    location: { ...location, primary: { ...node, ...change } },
    primary: meter,
    secondary: undefined,
    demand: undefined,
    usualEfficiency: 0.9,
    nowSeconds: 1_000,
    withString: false,
    lineToNeutral: false,
    ...input,
  });
}
const threeOf = (metering: ReturnType<typeof read>, name: "current" | "voltage" | "powerKw" | "powerFactor") =>
  ([1, 2, 3] as const).map((phase) => metering[`${name}${phase}`]);

test("A-63 each kind of value is of the channels on which that kind is wired", () => {
  const metering = read({ activeVoltages: [false, true, true], activeCurrents: [true, false, true], activePowers: [true, true, false] });
  expect([
    threeOf(metering, "voltage"),
    threeOf(metering, "current"),
    threeOf(metering, "powerKw"),
    threeOf(metering, "powerFactor"),
  ]).toEqual([
    [null, 482, 483],
    [11, null, 13],
    [1, 2, null],
    [0.7, 0.8, null],
  ]);
  expect([metering.powerKw, metering.powerKvaR]).toEqual([3, expect.closeTo(12, 9)]);
  expect([metering.current, metering.voltage]).toEqual([12, 482.5]);
});

test("A-63 a current that lags is behind its voltage, by the angle of its own phase's power", () => {
  const equal = { ...meter, lastScalarData: "1,1,1000000,60,11,12,13,480,480,480,1,1,0,1,0,-1,1,1,1" };
  const { voltages, currents } = read({}, { primary: equal }).phasors!;
  const lags = voltages.map(({ angle }, phase) => (((Math.round(angle - currents[phase]!.angle) % 360) + 540) % 360) - 180);
  expect(lags).toEqual([45, 0, -90]);
  expect(currents.map(({ magnitude }) => magnitude)).toEqual([11, 12, 13]);
  const unwired = read({ activePowers: [true, true, false] }, { primary: equal }).phasors!;
  expect(unwired.currents[2]!.angle).toBeCloseTo(unwired.voltages[2]!.angle, 9);
  for (const { angle } of [...voltages, ...currents]) expect(Math.abs(angle)).toBeLessThanOrEqual(180);
});

test("A-63 a phase without voltage leaves the others' phasors, and without any there are none", () => {
  const withVoltages = (text: string) =>
    read({}, { primary: { ...meter, lastScalarData: `1,1,1000000,60,11,12,13,${text},1,1,1,1,1,1,1,1,1` } }).phasors;
  expect(withVoltages("480,0,480")?.currents.map(({ magnitude }) => magnitude)).toEqual([11, 12, 13]);
  expect(withVoltages("0,0,0")).toBeNull();
});

test("A-63 a machine at rest has no power factor and no shares, yet its values; of no horse power there is no load", () => {
  const rest = { ...meter, lastScalarData: "1,0,1000000,60,0.5,0.4,-0.5,481,482,483,0.1,0.2,0.3,0,0,0,0.7,0.8,0.9" };
  expect(read({}, { primary: rest })).toMatchObject({
    isRunning: false,
    powerFactor: null,
    powerFactor1: null,
    phaseSplit1: null,
    currentImbalance: null,
  });
  const barely = { ...meter, lastScalarData: "1,1,1000000,60,0.5,0.4,-0.6,481,482,483,0.1,0.2,0.3,0,0,0,0.7,0.8,0.9" };
  expect(read({}, { primary: barely })).toMatchObject({ isRunning: true, powerFactor: 1, powerFactor1: 0.7 });
  const loadOf = (npHp: number | null) => {
    const { hp, loadPercent, showPowerFactorInPlaceOfHp } = read({}, { location: { ...location, npHp } });
    return [hp !== null, loadPercent !== null, showPowerFactorInPlaceOfHp];
  };
  expect([loadOf(100), loadOf(null), loadOf(0)]).toEqual([
    [true, true, false],
    [true, false, false],
    [false, false, true],
  ]);
});

test("A-63 a field that the primary node reports has its values, and a line of its own only where there is a node for it", () => {
  const primary = { ...meter, meteredAt: 900, fieldVoltage: 110, fieldCurrent: 12.345 };
  const secondary = { ...node, serial: 10_002 };
  const alone = read({}, { primary, withString: true });
  expect(alone).toMatchObject({ fieldVoltage: 110, fieldTimestamp: 900, fieldSerialNumber: null, fieldMeterString: null });
  const both = read({}, { primary, withString: true, location: { ...location, secondary } });
  expect(both).toMatchObject({ fieldSerialNumber: "10002", fieldMeterString: "Field 110 V 12.35 A" });
  expect(read({}, { withString: true, location: { ...location, secondary } }).fieldMeterString).toBeNull();
});
