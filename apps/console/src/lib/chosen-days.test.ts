import { expect, test } from "vitest";
import { daysOf, daysProblem, timesOfDays } from "./chosen-days.ts";

test("days the wrong way round are said and choose nothing; one day alone, or the same twice, is no mistake", () => {
  const reversed = { from: "2026-03-05", to: "2026-03-04" };
  expect([daysProblem(reversed), daysOf(reversed), timesOfDays(reversed)]).toEqual(["Ends before it begins: no days are chosen", {}, {}]);
  for (const days of [
    { from: "2026-03-05", to: "2026-03-05" },
    { from: "2026-03-05", to: "" },
    { from: "", to: "2026-03-05" },
  ])
    expect([daysProblem(days), daysOf(days)]).toEqual([
      undefined,
      Object.fromEntries(Object.entries(days).filter(([, day]) => day !== "")),
    ]);
  expect(daysOf({ from: "tomorrow", to: "2026-02-30" })).toEqual({});
});

test("the times are the reader's midnights, the last day whole", () => {
  const midnight = (day: number) => String(new Date(2026, 2, day).getTime() / 1000);
  expect(timesOfDays({ from: "2026-03-05", to: "2026-03-06" })).toEqual({ from: midnight(5), to: midnight(7) });
  expect(timesOfDays({ from: "", to: "2026-03-31" })).toEqual({ to: String(new Date(2026, 3, 1).getTime() / 1000) });
});
