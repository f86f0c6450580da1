import { expect, test } from "vitest";
import { limitsOf } from "./trend-limits.ts";
import type { TrendNodeRow } from "./trends.read-model.ts";

const node = {
  isDirect: false,
  npCurrent: 200,
  npVoltage: 400,
  npHp: 10,
  thresholds: {
    voltageImbalance: 1,
    currentImbalance: 2,
    voltageThd: 3,
    currentThd: 4,
    overVoltage: 5,
    underVoltage: 6,
    shortTermOverCurrent: 70,
    longTermOverCurrent: 8,
  },
} as TrendNodeRow;
const linesOf = (quantity: string, change: Partial<TrendNodeRow> = {}) =>
  limitsOf(quantity, { ...node, ...change }).map(({ line, value, kind }) => `${kind} ${line} ${value.toFixed(2)}`);

const current = ["nameplate Nameplate current 200.00", "limit Short-term over-current 340.00", "limit Long-term over-current 216.00"];
const voltage = ["nameplate Nameplate voltage 400.00", "limit Over-voltage 420.00", "limit Under-voltage 376.00"];

test.each<[string, string[]]>([
  ...["current", "current1", "current2", "current3"].map((id): [string, string[]] => [id, current]),
  ...["voltage", "voltage1", "voltage2", "voltage3"].map((id): [string, string[]] => [id, voltage]),
  ["powerKw", ["nameplate Nameplate power 8.13"]],
  ["voltageImbalance", ["limit Voltage imbalance 1.00"]],
  ["currentImbalance", ["limit Current imbalance 2.00"]],
  ["voltageThd1", ["limit Voltage THD 3.00"]],
  ["currentThd3", ["limit Current THD 4.00"]],
  ["current4", []],
  ["kwh", []],
])("A-63 %s is held against its own nameplate and its own thresholds", (quantity, lines) => expect(linesOf(quantity)).toEqual(lines));

test("A-63 without a nameplate nothing is held against it, what is in percent still is, and nothing without thresholds", () => {
  for (const unknown of [null, 0]) {
    const change = { npCurrent: unknown, npVoltage: unknown, npHp: unknown };
    expect(["current", "voltage1", "powerKw", "voltageImbalance"].map((id) => linesOf(id, change))).toEqual([
      [],
      [],
      [],
      ["limit Voltage imbalance 1.00"],
    ]);
  }
  expect(linesOf("current", { npVoltage: null, npHp: null })).toEqual(current);
  expect(linesOf("voltage", { npCurrent: null, npHp: null })).toEqual(voltage);
  expect(["current", "powerKw", "voltageThd1"].flatMap((id) => linesOf(id, { thresholds: null }))).toEqual([]);
});

test("A-63 the nameplate power of a direct current motor goes by the efficiency of those", () =>
  expect(linesOf("powerKw", { isDirect: true })).toEqual(["nameplate Nameplate power 8.29"]));
