import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { expect, test } from "vitest";
import { historyColumns, historyLines } from "./history-columns.ts";

const row = (timestamp: number) =>
  ({
    timestamp,
    version: 2,
    flag: 0,
    lineFrequency: 60,
    current1: 11,
    current2: 12,
    current3: 13,
    voltage1: 481,
    voltage2: 482,
    voltage3: null,
  }) as unknown as ScalarHistoryRow;
const note = (timestamp: number, id: number) => ({ timestamp, id, note: `note ${id}` }) as PlotNote;
const ids = (lines: ReturnType<typeof historyLines>) =>
  lines.map(({ timestamp, note: written }) => (written ? `n${written.id}` : timestamp));

test("DSH-11 scalars and notes are one list, newest first; a note comes after the scalar of its time", () => {
  const rows = [row(300), row(200), row(100)];
  expect(ids(historyLines(rows, []))).toEqual([300, 200, 100]);
  expect(ids(historyLines(rows, [note(50, 1), note(200, 2), note(400, 3)]))).toEqual(["n3", 300, 200, "n2", 100, "n1"]);
});

test("DSH-11 each column shows its own reading, and a note has none", () => {
  const texts = (line: Parameters<ReturnType<typeof historyColumns>[number]["text"]>[0]) =>
    Object.fromEntries(historyColumns("UTC").map(({ label, text }) => [label, text(line)]));
  const shown = texts({ timestamp: 0, scalar: row(0) });
  expect(["Ver", "Flag", "LF", "I1", "I2", "I3", "V1", "V2", "V3"].map((label) => Number.parseFloat(String(shown[label])))).toEqual([
    2,
    0,
    60,
    11,
    12,
    13,
    481,
    482,
    Number.NaN,
  ]);
  const empty = texts({ timestamp: 0, note: note(0, 1) });
  expect([empty["Ver"], empty["LF"], empty["V1"]]).toEqual(["–", "–", "–"]);
});
