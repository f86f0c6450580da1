import { expect, test } from "vitest";
import { reportText, type NodeProgress } from "./report-text.ts";

const node = (fields: Partial<NodeProgress> = {}): NodeProgress => ({
  serialNumber: 10_001,
  locationName: "Pump 1",
  records: 96,
  expectedRecords: 96,
  events: 0,
  alarms: 0,
  connectionLosses: 0,
  runningSeconds: 3_629,
  kwh: 1_234.56,
  averageCurrent: 40.04,
  peakCurrent: 60,
  averageKw: 20.25,
  peakKw: 30,
  ...fields,
});
const textOf = (nodes: readonly NodeProgress[]) =>
  reportText({ facilityName: "North Works", customerName: "Alder Pumping" }, "2026-06-09", nodes);
const many = (first: Partial<NodeProgress>, count = 21) => [node(first), ...Array.from({ length: count - 1 }, () => node())];

test("A-63 a report of few nodes has the figures of each, in their units", () => {
  expect(textOf([node(), node({ serialNumber: 10_002, records: 191, expectedRecords: 192, events: 1, alarms: 2, connectionLosses: 1 })]))
    .toBe(`North Works, Alder Pumping: the day 2026-06-09

Nodes: 2
Running: 2 h 1 min
Energy: 2,469 kWh
Data: 287 records of 288 (99 %)
Incidents: 1 event, 2 alarms, 1 connection loss

Pump 1 (10001)
  Running 1 h 0 min, energy 1,234.6 kWh
  Current 40.0 A average, 60.0 A peak
  Power 20.3 kW average, 30.0 kW peak
  Data 96 of 96 records (100 %)
  0 events, 0 alarms, 0 connection losses

Pump 1 (10002)
  Running 1 h 0 min, energy 1,234.6 kWh
  Current 40.0 A average, 60.0 A peak
  Power 20.3 kW average, 30.0 kW peak
  Data 191 of 192 records (99 %)
  1 event, 2 alarms, 1 connection loss
`);
});

test.each<[string, Partial<NodeProgress>, boolean]>([
  ["with an alarm", { alarms: 1 }, true],
  ["that lost its connection", { connectionLosses: 1 }, true],
  ["with an event", { events: 1 }, false],
  ["with 95 % of its records", { records: 95, expectedRecords: 100 }, false],
  ["with less", { records: 94, expectedRecords: 100 }, true],
  ["of which none is expected", { records: 0, expectedRecords: 0 }, false],
])("A-63 of more than twenty a node %s is worth a look or not", (_, fields, isNamed) => {
  expect(textOf(many(fields)).endsWith(isNamed ? "The other 20 nodes: nothing to look at.\n" : "\n21 nodes: nothing to look at.\n")).toBe(
    true,
  );
  expect(textOf(many(fields)).includes("Pump 1 (10001): data ")).toBe(isNamed);
});

test("A-63 fifty are named at most, and how many more there are", () => {
  const text = textOf(Array.from({ length: 52 }, () => node({ alarms: 1 })));
  expect([text.match(/^Pump 1/gm)?.length, text.endsWith("and 2 more\n")]).toEqual([50, true]);
  expect(textOf(Array.from({ length: 20 }, () => node({ alarms: 1 })))).toContain("  Running ");
});
