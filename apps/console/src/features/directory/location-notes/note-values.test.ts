import type { LocationNote } from "@busbar/contract/directory/location-notes.ts";
import { expect, test } from "vitest";
import { authorOf, enteredOf, noteDefaults, readNote } from "./note-values.ts";

const note: LocationNote = {
  id: 1,
  timestamp: 1_790_000_000.5,
  note: "Belt changed",
  details: "By the door",
  showInVoltagePlot: false,
  showInCurrentPlot: true,
  showInAccumulatedAmpHoursPlot: false,
  authorUserId: 7,
  updatedTimestamp: 1_790_000_100,
  firstName: "Ann",
  lastName: "Lee",
  isArchived: false,
  revision: 2,
};
const zone = "America/Chicago";

test("a note begins as it is, a new one now and in all plots", () => {
  const text = "2026-09-21 09:13:20";
  expect(noteDefaults(note, enteredOf(note, zone, 5))).toEqual({
    timestamp: text,
    note: "Belt changed",
    details: "By the door",
    showInVoltagePlot: false,
    showInCurrentPlot: true,
    showInAccumulatedAmpHoursPlot: false,
  });
  const inAll = { showInVoltagePlot: true, showInCurrentPlot: true, showInAccumulatedAmpHoursPlot: true };
  expect(noteDefaults(undefined, enteredOf(undefined, zone, 1_790_000_000))).toEqual({ timestamp: text, note: "", details: "", ...inAll });
});

test("a time is read by the clocks of the place; what is wrong is said at its field", () => {
  const entered = enteredOf(note, zone, 5);
  const values = noteDefaults(note, entered);
  expect(readNote(values, entered).note?.timestamp).toBe(1_790_000_000);
  expect(readNote({ ...values, timestamp: "2026-09-21 10:13:20" }, entered).note).toMatchObject({
    timestamp: 1_790_003_600,
    note: note.note,
  });
  const { errors } = readNote({ ...values, timestamp: "soon", note: "" }, entered);
  expect(Object.keys(errors ?? {}).toSorted()).toEqual(["note", "timestamp"]);
  expect(errors?.timestamp?.message).toMatch(/^Write/);
});

test("who wrote it may be gone", () => {
  expect([authorOf(note), authorOf({ ...note, firstName: "" }), authorOf({ ...note, firstName: "", lastName: "" })]).toEqual([
    "Ann Lee",
    "Lee",
    "a former user",
  ]);
});
