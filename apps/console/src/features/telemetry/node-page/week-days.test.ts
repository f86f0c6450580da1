import { expect, test } from "vitest";
import { weekDays } from "./week-days.ts";

const at = (iso: string) => Date.parse(iso) / 1000;

test("days begin at midnight of the place, also where an hour is left out", () => {
  const days = weekDays({ from: at("2026-03-07T12:00:00Z"), to: at("2026-03-09T12:00:00Z") }, "America/Chicago");
  expect(days).toEqual([
    { at: at("2026-03-08T06:00:00Z"), name: "Sun 8" },
    { at: at("2026-03-09T05:00:00Z"), name: "Mon 9" },
  ]);
});

test("and where the offset is half an hour", () => {
  expect(weekDays({ from: at("2026-11-21T00:00:00Z"), to: at("2026-11-22T00:00:00Z") }, "Asia/Kolkata")).toEqual([
    { at: at("2026-11-21T18:30:00Z"), name: "Sun 22" },
  ]);
});
