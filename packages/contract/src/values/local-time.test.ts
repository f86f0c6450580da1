import { describe, expect, test } from "vitest";
import { isEnterable, readLocalDateTime } from "./local-time.ts";
import { timezones } from "./option-lists.ts";

const at = (text: string, timezone = "America/Chicago") => {
  const read = readLocalDateTime(text, timezone);
  return "timestamp" in read ? new Date(read.timestamp * 1000).toISOString().replace(".000", "") : read.problem;
};
const withDst = ["America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York"] as const;
const withoutDst = ["Pacific/Honolulu", "America/Phoenix", "Asia/Kolkata"] as const;

describe("COM-08 what can be entered", () => {
  test.each([
    ["2010-1-1", "2010-01-01T06:00:00Z"],
    ["2026-07-04", "2026-07-04T05:00:00Z"],
    ["2026-7-4 9:05:07", "2026-07-04T14:05:07Z"],
    ["2026-07-04 09:05:07", "2026-07-04T14:05:07Z"],
    [" 2059-12-31 23:59:59 ", "2060-01-01T05:59:59Z"],
    ["2028-02-29 0:00:00", "2028-02-29T06:00:00Z"],
  ])("%j", (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  const form = "Write it as yyyy-M-d or yyyy-M-d H:MM:SS, years 2010 to 2059";
  test.each([
    "",
    "2009-12-31",
    "2060-01-01",
    "26-01-01",
    "2026-001-01",
    "2026-1",
    "2026/1/1",
    "2026-1-1 10:00",
    "2026-1-1 1:1:1",
    "2026-1-1T10:00:00",
    "2026-1-1 10:00:00Z",
    "yesterday",
    "2026-1-1 -1:00:00",
    "٢٠٢٦-١-١",
  ])("not %j", (text) => {
    expect(at(text)).toBe(form);
  });
  test.each(["2026-02-29", "2026-13-1", "2026-0-1", "2026-4-31", "2026-1-0", "2026-1-32"])("no such day: %s", (text) => {
    expect(at(text)).toBe("There is no such day");
  });
  test.each(["2026-1-1 24:00:00", "2026-1-1 10:60:00", "2026-1-1 10:00:60"])("no such time: %s", (text) => {
    expect(at(text)).toBe("There is no such time of day");
  });
});

describe("COM-08 changes of clocks", () => {
  const standard: Record<(typeof withDst)[number], number> = {
    "America/Anchorage": 9,
    "America/Los_Angeles": 8,
    "America/Denver": 7,
    "America/Chicago": 6,
    "America/New_York": 5,
  };
  const hour = (value: number) => String(value).padStart(2, "0");

  test.each(withDst)("%s skips an hour in spring and refuses it; the seconds beside are right", (zone) => {
    const offset = standard[zone];
    for (const text of ["2027-03-14 02:00:00", "2027-03-14 02:30:00", "2027-03-14 2:59:59", "2026-03-08 02:30:00"])
      expect(at(text, zone)).toBe(`Clocks in ${zone} skip this time`);
    expect(at("2027-03-14 01:59:59", zone)).toBe(`2027-03-14T${hour(1 + offset)}:59:59Z`);
    expect(at("2027-03-14 03:00:00", zone)).toBe(`2027-03-14T${hour(2 + offset)}:00:00Z`);
  });

  test.each(withDst)("%s repeats an hour in autumn and takes the first", (zone) => {
    const summer = standard[zone] - 1;
    for (const day of ["2026-11-01", "2027-11-07"]) {
      expect(at(`${day} 01:00:00`, zone)).toBe(`${day}T${hour(1 + summer)}:00:00Z`);
      expect(at(`${day} 1:30:00`, zone)).toBe(`${day}T${hour(1 + summer)}:30:00Z`);
      expect(at(`${day} 01:59:59`, zone)).toBe(`${day}T${hour(1 + summer)}:59:59Z`);
      expect(at(`${day} 02:00:00`, zone)).toBe(`${day}T${hour(3 + summer)}:00:00Z`);
    }
  });

  test.each(withoutDst)("%s never shifts", (zone) => {
    const offset = { "Pacific/Honolulu": 10, "America/Phoenix": 7, "Asia/Kolkata": -5.5 }[zone] * 3_600_000;
    for (const day of ["2027-03-14", "2026-11-01", "2027-11-07", "2030-07-01"])
      expect(at(`${day} 02:30:00`, zone)).toBe(new Date(Date.parse(`${day}T02:30:00Z`) + offset).toISOString().replace(".000", ""));
  });
});

test("COM-08 the years are those of the zone's own clocks", () => {
  const first = Date.parse("2010-01-01T00:00:00Z") / 1000;
  expect(timezones.map((zone) => isEnterable(first, zone))).toEqual(timezones.map((zone) => zone === "Asia/Kolkata"));
});
