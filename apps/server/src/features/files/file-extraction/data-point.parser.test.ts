import { expect, test } from "vitest";
import { dataPointLines, sealed } from "#testing/sample-files.ts";
import { parseDataPoint } from "./data-point.parser.ts";

test("A-63 a data point lacks nothing of what it must have, and may lack everything else", () => {
  const file = { serial: 10_001, timestamp: 1_767_708_900, interval: 900, nodeInterval: 900, now: 1_767_710_000 };
  const lines = dataPointLines(file.serial, file.timestamp);
  const reasonWithout = (key: string) => {
    try {
      parseDataPoint(sealed(lines.filter((line) => !line.startsWith(`${key}=`))), file);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const keys = lines.flatMap((line) => (line.startsWith("#") ? [] : [line.split("=", 1)[0]!]));
  const needed = ["serialNumber", "timestamp", "interval", "kind", "voltageAvg", "currentAvg", "powerKwAvg", "samples", "missing"];
  expect(keys.length).toBeGreaterThan(needed.length);
  expect(Object.fromEntries(keys.map((key) => [key, reasonWithout(key)]))).toEqual(
    Object.fromEntries(keys.map((key) => [key, needed.includes(key) ? `Missing key ${key}` : ""])),
  );
});
