import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import type { Db } from "#db/statement.ts";
import { expect, test } from "vitest";
import { loadDays, startsOfMonth } from "./node-grids.ts";
import { firstDayOf, monthOfDay, type NodeBounds } from "./trend-aggregates.store.ts";
import type { TrendNodeRow } from "./trends.read-model.ts";

const at = (time: string) => Date.parse(`${time}Z`) / 1000;
const monthOf = (month: string) => monthOfDay(at(`${month}-01T00:00`) / 86_400);
const nameOf = (month: number) => new Date(firstDayOf(month) * 86_400_000).toISOString().slice(0, 7);
const dayName = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Which months and which days of quarters are read, each up to before another. */
async function readBetween(zone: string, from: string, to: string, bounds: Partial<NodeBounds>): Promise<string[]> {
  const asked: string[] = [];
  const store: Parameters<typeof loadDays>[1] = {
    days: async (_db, _serial, _location, _quantities, first, end) => (asked.push(`months ${nameOf(first)} ${nameOf(end)}`), []),
    quarters: async (_db, _serials, _quantities, first, end) => (asked.push(`days ${dayName(first)} ${dayName(end)}`), []),
    minutes: async () => [],
  };
  const place = { locationId: 1, timezone: zone, windows: [[-Infinity, Infinity]] as const };
  const all = { openHour: Infinity, openDay: Infinity, openMonth: Infinity, filledFromDay: -1, ...bounds };
  const none = { query: async () => ({ rows: [] }) } as unknown as Db;
  await loadDays(none, store, { serial: 1 } as TrendNodeRow, [quantityOf("kwh")!], { from: at(from), to: at(to) }, all, place);
  return asked;
}

test.each<[string, Parameters<typeof readBetween>, string[]]>([
  ["one day", ["UTC", "2026-03-31T10:00", "2026-03-31T11:00", {}], ["months 2026-03 2026-04"]],
  ["up to the end of a month", ["UTC", "2026-03-10T00:00", "2026-04-01T00:00", {}], ["months 2026-03 2026-04"]],
  ["into the next one", ["UTC", "2026-03-10T00:00", "2026-04-01T00:01", {}], ["months 2026-03 2026-05"]],
  ["up to the end of a year", ["UTC", "2025-12-31T00:00", "2026-01-01T00:00", {}], ["months 2025-12 2026-01"]],
  ["up to the end of a month there", ["America/Denver", "2026-03-10T00:00", "2026-04-01T06:00", {}], ["months 2026-03 2026-04"]],
  ["into the next one there", ["America/Denver", "2026-03-10T00:00", "2026-04-01T06:01", {}], ["months 2026-03 2026-05"]],
  ["from the last day of a month there", ["Asia/Kolkata", "2026-03-31T18:29", "2026-04-02T00:00", {}], ["months 2026-03 2026-05"]],
  ["from the first day of a month there", ["Asia/Kolkata", "2026-03-31T18:30", "2026-04-02T00:00", {}], ["months 2026-04 2026-05"]],
  [
    "the last month is not over",
    ["UTC", "2026-03-10T00:00", "2026-04-03T00:00", { openMonth: monthOf("2026-04") }],
    ["months 2026-03 2026-04", "days 2026-04-01 2026-04-03"],
  ],
  ["no month is over", ["UTC", "2026-03-10T00:00", "2026-04-03T00:00", { openMonth: monthOf("2026-03") }], ["days 2026-03-10 2026-04-03"]],
  ...(
    [
      ["2026-03-30", "months 2026-04 2026-06", "2026-04-01"],
      ["2026-03-31", "months 2026-05 2026-06", "2026-05-01"],
    ] as const
  ).map(([filled, months, end]): [string, Parameters<typeof readBetween>, string[]] => [
    `nothing is made from before ${filled}`,
    ["UTC", "2026-03-10T00:00", "2026-05-03T00:00", { filledFromDay: at(`${filled}T00:00`) / 86_400 }],
    [months, `days ${filled} ${end}`],
  ]),
])("A-63 days of a place are read by the month: %s", async (_, asked, read) => expect(await readBetween(...asked)).toEqual(read));

test.each([
  ["UTC", "2026-02", 29, "2026-02-01T00:00", "2026-03-01T00:00"],
  ["America/Denver", "2026-03", 32, "2026-03-01T07:00", "2026-04-01T06:00"],
  ["Asia/Kolkata", "2025-12", 32, "2025-11-30T18:30", "2025-12-31T18:30"],
  ["Pacific/Auckland", "2026-01", 32, "2025-12-31T11:00", "2026-01-31T11:00"],
])("A-63 the local days of a month in %s of %s, and where the last one ends", (zone, month, count, first, end) => {
  const starts = startsOfMonth(monthOf(month), zone);
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([count, at(first), at(end)]);
});
