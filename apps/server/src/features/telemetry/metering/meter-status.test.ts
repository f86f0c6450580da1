import { expect, test } from "vitest";
import { meteringStatus, scalarAt } from "./meter-status.ts";
import type { MeterRow } from "./metering.read-model.ts";

const row = (change: Partial<MeterRow>): MeterRow =>
  ({
    type: "Node",
    isConnected: true,
    connectionChangedAt: 0,
    clearedAt: null,
    clearedScalarAt: null,
    lastScalarAt: 1_000,
    lastScalarData: "1,1",
    ...change,
  }) as MeterRow;

test.each<[Partial<MeterRow>, number | null]>([
  [{}, 1_000],
  [{ lastScalarAt: null }, null],
  [{ lastScalarData: "" }, null],
  [{ clearedScalarAt: 1_000 }, null],
  [{ clearedScalarAt: 999 }, 1_000],
])("A-63 of a meter with %j the newest scalar is of %s", (change, at) => {
  expect(scalarAt(row(change))).toBe(at);
});

test.each<[Partial<MeterRow>, number, string]>([
  [{}, 1_030, "Metering"],
  [{}, 1_031, "Not metering"],
  [{ isConnected: false }, 1_000, "Not metering"],
  [{ type: "SEL" }, 1_000, "Not metering"],
  [{ lastScalarAt: null, connectionChangedAt: 940 }, 1_000, "Waiting"],
  [{ lastScalarAt: null, connectionChangedAt: 939 }, 1_000, "Not metering"],
  [{ clearedScalarAt: 1_000, clearedAt: 1_040 }, 1_100, "Waiting"],
  [{ clearedScalarAt: 1_000, clearedAt: 1_040, isConnected: false }, 1_050, "Not metering"],
])("A-63 a meter with %j is at %d s: %s", (change, now, status) => {
  expect(meteringStatus(row(change), 10, now)).toBe(status);
});
