import { expect, test } from "vitest";
import { eventHref, eventQueryOf, hidingOf, noEventFilter } from "./event-filter.ts";
import { durationText, figureText, reportFileOf } from "./event-words.ts";

test.each([
  [{}, {}],
  [
    { text: "  kiln fan ", when: "lastNight", kind: "trip", status: "failed", amperes: "24.5" },
    { text: "kiln fan", span: "lastNight", kind: "trip", status: "failed", amperes: "24.5" },
  ],
  [{ when: "days", from: "2026-02-28", to: "2026-02-30" }, { from: "2026-02-28" }],
  // Days count only where they were chosen; what the server would refuse is left out.
  [
    { when: "week", from: "2026-02-28", node: "x", customer: "0", facility: "7", amperes: "1.", kind: "x" },
    { span: "week", facility: "7" },
  ],
])("%j asks for %j", (filter, query) => {
  expect(eventQueryOf({ ...noEventFilter, ...filter })).toEqual(query);
});

test.each([
  [{ columns: "Time,Event", when: "days", status: "gone", amperes: "1." }, []],
  [{ text: "kiln", when: "week", kind: "trip" }, ["search", "when", "kind"]],
  [
    { when: "days", to: "2026-02-28", amperes: "2", status: "read", node: "11001", facility: "7" },
    ["when", "amperes", "state of reading", "facility", "node"],
  ],
])("%j hides by %j", (filter, hiding) => {
  expect(hidingOf(eventQueryOf({ ...noEventFilter, ...filter }))).toEqual(hiding);
});

test("the address of an event keeps the filter", () => {
  expect(eventHref("11001_20261122T054000Z_E0001", { ...noEventFilter, text: "50% & more" })).toBe(
    "#/events/11001_20261122T054000Z_E0001?text=50%25+%26+more",
  );
  expect(eventHref("11001_20261122T054000Z_E0001")).toBe("#/events/11001_20261122T054000Z_E0001");
});

test.each([
  [24_123, "A", "B", "24.1 kA B"],
  [999.6, "A", "", "1.00 kA"],
  [999.4, "A", "A", "999 A A"],
  [1.234, "A", "A", "1.23 A A"],
  [0, "V", "A-B", "0.00 V A-B"],
  [83.018, "V", "A", "83.0 V A-N"],
  [9.996, "A", "", "10.0 A"],
  [99.96, "A", "", "100 A"],
  [99_960, "A", "B", "100 kA B"],
] as const)("%d %s of %s is %s", (value, unit, phase, text) => {
  expect(figureText({ value, phase }, unit)).toBe(text);
});

test("a duration is milliseconds below a second", () => {
  expect([null, 0, 0.2489, 0.9999, 1.44].map(durationText)).toEqual(["", "0 ms", "249 ms", "1 s", "1.4 s"]);
});

test("the report of an event is the file that says most to a reader; what only a plot shows is none", () => {
  const files = ["dat", "csv", "cfg", "cff", "cev", "inf", "hdr", "txt", "eve", "zip"].map((ending) => ({
    fileName: `11001_E0001.${ending}`,
  }));
  const reports: (string | undefined)[] = [];
  for (let left = files; left.length > 0; left = left.filter(({ fileName }) => fileName !== reports.at(-1))) {
    reports.push(reportFileOf(left));
    if (reports.at(-1) === undefined) break;
  }
  expect(reports.map((name) => name?.split(".")[1])).toEqual(["eve", "txt", "hdr", "inf", "cev", "cff", "cfg", "csv", undefined]);
});
