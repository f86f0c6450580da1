import { wallClock } from "@busbar/contract/values/local-time.ts";

const zoneNames = new Map<string, Intl.DateTimeFormat>();

/** COM-06: `yyyy-MM-dd HH:mm:ss` with the zone, as the clocks there showed it. */
export function displayTime(timestamp: number, timezone: string): string {
  const local = new Date(wallClock(Math.floor(timestamp), timezone) * 1000).toISOString().slice(0, 19).replace("T", " ");
  let format = zoneNames.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "short" });
    zoneNames.set(timezone, format);
  }
  const zone = format.formatToParts(timestamp * 1000).find(({ type }) => type === "timeZoneName")?.value ?? timezone;
  return `${local} ${zone}`;
}
