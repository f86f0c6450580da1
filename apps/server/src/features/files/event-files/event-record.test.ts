import { bytesOf, sampleAscii, sampleConfig } from "@busbar/waveform/testing/sample-comtrade.ts";
import { expect, test } from "vitest";
import { eventKindOf } from "./event-kind.ts";
import { readEventRecord } from "./event-record.ts";

/** What a record is of whose first status channel has these values. */
function kindBy(trip: string): string {
  const rows = sampleAscii().trimEnd().split("\r\n");
  const dat = rows.map((row, index) => [...row.split(",").slice(0, 5), trip[index], "0"].join(",")).join("\r\n");
  const { kind, problem } = readEventRecord(
    { fileName: "a.cfg", bytes: bytesOf(sampleConfig()) },
    { fileName: "a.dat", bytes: bytesOf(`${dat}\r\n`) },
  );
  expect(problem).toBeUndefined();
  return kind;
}

test.each([
  ["00000000", "event"],
  ["11111111", "event"],
  ["11110000", "event"],
  ["01111111", "trip"],
  ["00000001", "trip"],
  ["11101111", "trip"],
  ["10000001", "trip"],
  ["01000000", "trip"],
])("A-63 a TRIP that is %s by sample makes it: %s", (trip, kind) => expect(kindBy(trip)).toBe(kind));

test.each<[event: string, cameOn: string[], ReturnType<typeof eventKindOf>]>([
  ["ER", [], "event"],
  ["TRIP", [], "trip"],
  ["AG_TRIP", [], "trip"],
  ["STRIPE", [], "event"],
  ["AG T", [], "trip"],
  ["AGT", [], "event"],
  ["SELF-TEST", [], "alarm"],
  ["HARDWARE FAILURE", [], "alarm"],
  ["FAILSAFE", [], "event"],
  ["ER", ["52A", "TRIPLED"], "event"],
  ["ER", ["RLY.TRIP3P"], "trip"],
  ["ER", ["SALARM"], "alarm"],
  ["ER", ["ALRMOUT"], "alarm"],
  ["ALARM", ["TRIP"], "trip"],
])("A-63 an event %s with %j on is: %s", (event, cameOn, kind) => expect(eventKindOf(event, cameOn)).toBe(kind));
