import type { Pool } from "pg";
import { dropPartitions } from "./drop-partitions.ts";
import { planned, type Db } from "./statement.ts";

/** Days for which minutes are kept. */
export const keptMinuteDays = 90;
const weekHours = 168;
const name = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");

/** The week that holds an hour, counted from 1970 as the hours are. */
function weekOf(hour: number): { name: string; from: number; to: number } {
  const from = Math.floor(hour / weekHours) * weekHours;
  return { name: `trend_minute_${name(from / 24)}`, from, to: from + weekHours };
}

function yearOf(day: number): { name: string; from: number; to: number } {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  const [from, to] = [Date.UTC(year, 0, 1) / 86_400_000, Date.UTC(year + 1, 0, 1) / 86_400_000];
  return { name: `trend_quarter_${name(from)}`, from, to };
}

async function ensure(db: Db, parent: string, partitions: readonly { name: string; from: number; to: number }[]): Promise<void> {
  for (const partition of new Map(partitions.map((each) => [each.name, each])).values()) {
    await planned(db, "ensure-trend-partition")`create table if not exists ${partition.name} partition of ${parent}
      for values from (${partition.from}) to (${partition.to}) with (toast_tuple_target = 128)`;
  }
}

/** Makes the weekly partitions of `trend_minute` that hold these hours; those that exist stay. */
export const ensureMinutePartitions = (db: Db, hours: readonly number[]): Promise<void> => ensure(db, "trend_minute", hours.map(weekOf));

/** Makes the yearly partitions of `trend_quarter` that hold these days; those that exist stay. */
export const ensureQuarterPartitions = (db: Db, days: readonly number[]): Promise<void> => ensure(db, "trend_quarter", days.map(yearOf));

/** Drops weeks of minutes that ended before a time in epoch seconds; returns the dropped partitions' names. */
export function dropExpiredMinutes(pool: Pool, keepFromSeconds: number): Promise<string[]> {
  const oldestKept = weekOf(Math.floor(keepFromSeconds / 3600)).name;
  return dropPartitions(pool, "trend_minute", (each) => /^trend_minute_\d{8}$/.test(each) && each < oldestKept);
}

/** Drops years of quarters of an hour that ended before a time in epoch seconds; returns the dropped partitions' names. */
export function dropExpiredQuarters(pool: Pool, keepFromSeconds: number): Promise<string[]> {
  const oldestKept = yearOf(Math.floor(keepFromSeconds / 86_400)).name;
  return dropPartitions(pool, "trend_quarter", (each) => /^trend_quarter_\d{8}$/.test(each) && each < oldestKept);
}
