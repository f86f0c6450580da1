import { wallClock } from "@busbar/contract/values/local-time.ts";
import { localDay, type LocalDay } from "#lib/local-day.ts";

const reportWallSeconds = 6 * 3_600;
const daySeconds = 86_400;

/** The newest local day that is over and may be reported: at 06:00 of the next one by the clocks of the zone, whatever they did that night. */
function newestReportDay(timezone: string, now: number): LocalDay {
  const isSix = wallClock(now, timezone) % daySeconds >= reportWallSeconds;
  const yesterday = localDay(timezone, localDay(timezone, now).start - 1);
  return isSix ? yesterday : localDay(timezone, yesterday.start - 1);
}

/** `yyyy-mm-dd` of the newest day that may be reported in all of these zones: a facility's report waits for its last zone. */
export function reportDate(timezones: readonly string[], now: number): string {
  return timezones.map((timezone) => newestReportDay(timezone, now).date).toSorted()[0] ?? "";
}

/** The day of that date in a zone, which is at most a few days back. */
export function dayOfDate(timezone: string, date: string, now: number): LocalDay {
  let day = localDay(timezone, now);
  while (day.date > date) day = localDay(timezone, day.start - 1);
  return day;
}
