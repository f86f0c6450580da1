import { metricNames, phasePowers, scalarMeasurements } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { expect, test } from "vitest";
import type { MeterRow } from "./metering.read-model.ts";
import { toRawMetering } from "./raw-metering.view.ts";

const scalar = [...scalarMeasurements, ...phasePowers];
const meter: MeterRow = {
  serial: 10_001,
  type: "Node",
  isConnected: true,
  connectionChangedAt: null,
  clearedAt: null,
  clearedScalarAt: null,
  lastScalarAt: 900,
  lastScalarData: ["1", "1", "900000", ...scalar.map((_, place) => String(10 + place))].join(),
  // Of version and flag, then of each value.
  lastScalarTimes: ["1000", "2000", ...scalar.map((_, place) => String(100_000 + 1_000 * place))].join(),
  meteredAt: 800,
  kw: 1,
  kva: 2,
  kvar: 3,
  powerFactor: 4,
  runningSeconds: 5,
  ampHours: 6,
  kilowattHours: 7,
  kilovarHours: 8,
  fieldVoltage: 9,
  fieldCurrent: 10,
};
const m = metricNames;
const totalNames: readonly string[] = [
  m.totalKw,
  m.totalKva,
  m.totalKvar,
  m.totalPowerFactor,
  m.runningSeconds,
  m.ampHours,
  m.kilowattHours,
  m.kilovarHours,
  m.fieldVoltage,
  m.fieldCurrent,
];
const totals = totalNames.map((name, place) => [name, 1 + place, 800]);
const shown = (row: MeterRow) => toRawMetering(row).metrics.map(({ name, value, timestamp }) => [name, value, timestamp]);

test("A-63 each value has its own name, unit and time", () => {
  expect(shown(meter)).toEqual([...scalar.map((name, place) => [name, 10 + place, 100 + place]), ...totals]);
  const units = [
    "Hz",
    "A",
    "A",
    "A",
    "V",
    "V",
    "V",
    "kW",
    "kW",
    "kW",
    "kVAr",
    "kVAr",
    "kVAr",
    "",
    "",
    "",
    "kW",
    "kVA",
    "kVAr",
    "",
    "s",
    "Ah",
  ];
  expect(toRawMetering(meter).metrics.map(({ unit }) => unit)).toEqual([...units, "kWh", "kVArh", "V", "A"]);
});

test("A-63 values without a time of their own have that of the whole, and before a first value since a reset there is none", () => {
  expect(shown({ ...meter, lastScalarTimes: "" })).toEqual([...scalar.map((name, place) => [name, 10 + place, 900]), ...totals]);
  const cleared = { ...meter, clearedScalarAt: 900 };
  expect(shown(cleared)).toEqual([...scalar.map((name) => [name, null, null]), ...totals]);
  expect([toRawMetering(meter).lastScalarData, toRawMetering(cleared).lastScalarData]).toEqual([meter.lastScalarData, ""]);
});
