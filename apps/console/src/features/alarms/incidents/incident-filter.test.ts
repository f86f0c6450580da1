import { expect, test } from "vitest";
import { incidentQueryOf, noIncidentFilter } from "./incident-filter.ts";

const asked = (change: Partial<typeof noIncidentFilter>) => incidentQueryOf({ ...noIncidentFilter, ...change });
const midnight = (year: number, month: number, day: number) => String(new Date(year, month - 1, day).getTime() / 1000);

test("without a filter the open ones are requested, of all states only when that is chosen", () => {
  expect([asked({}), asked({ state: "all" }), asked({ state: "ended" }), asked({ state: "new" }), asked({ state: "lost" })]).toEqual([
    { state: "open" },
    {},
    { state: "ended" },
    { state: "new" },
    { state: "open" },
  ]);
});

test("days are the reader's, from the midnight of the first to that after the last, also at the end of a month", () => {
  const state = "all";
  expect(asked({ state, from: "2026-01-31", to: "2026-01-31" })).toEqual({ from: midnight(2026, 1, 31), to: midnight(2026, 2, 1) });
  expect(asked({ state, from: "2026-03-01" })).toEqual({ from: midnight(2026, 3, 1) });
  expect(asked({ state, to: "2026-12-31" })).toEqual({ to: midnight(2027, 1, 1) });
  expect(asked({ state, from: "2026-02-30", to: "yesterday" })).toEqual({});
});

test("what is no serial number, facility or kind is left out, blanks around a name are none of it", () => {
  const state = "all";
  expect(asked({ state, serial: " 12345 ", facility: "7", owner: " kim ", kind: "outage" })).toEqual({
    serial: "12345",
    facility: "7",
    owner: "kim",
    kind: "outage",
  });
  expect(asked({ state, serial: "1234", facility: "07", owner: "  ", kind: "fire" })).toEqual({});
  expect(asked({ state, facility: "0" })).toEqual({});
});
