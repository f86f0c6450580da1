import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { dataPointKeys } from "@busbar/contract/files/data-point-keys.ts";
import { expect, test } from "vitest";
import { limitedQuantities, limitedQuantityOf, ratingKeyOf, wordsOfKey } from "./key-words.ts";

test("every key of a data point has a name in words", () => {
  expect(dataPointKeys.filter((key) => !wordsOfKey(key)?.name)).toEqual([]);
  expect([wordsOfKey("voltageImbalance"), wordsOfKey("fieldCurrentMax"), wordsOfKey("npHp"), wordsOfKey("soon")]).toEqual([
    { name: "Voltage imbalance", unit: "%" },
    { name: "Field current, largest", unit: "A" },
    { name: "Power", unit: "hp" },
    undefined,
  ]);
});

test("what the nameplate rates is held against it, also of one phase", () => {
  expect(["voltage", "current2", "lineFrequency", "powerKw"].map(ratingKeyOf)).toEqual([
    "npVoltage",
    "npCurrent",
    "npFrequency",
    undefined,
  ]);
});

test("a phase has the limits of its machine, and what has none is not taken for what has", () => {
  const keys = ["voltage2", "current", "voltageThd3", "currentThd2", "currentImbalance", "powerKw", "powerKw1", "currentU2"];
  expect(keys.map((key) => limitedQuantities.includes(limitedQuantityOf(key)))).toEqual([true, true, true, true, true, true, false, false]);
  expect(limitedQuantities.filter((id) => quantityOf(id) === undefined)).toEqual([]);
});
