import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";

let ownTimezone: string | undefined;

/** The reader's zone; asking the browser is dear, and it stays while the page does. */
export function viewerTimezone(): string {
  ownTimezone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownTimezone;
}

/** COM-06, in the reader's zone unless another is given. */
export const formatDateTime = (timestamp: number, timezone: string = viewerTimezone()): string => formatLocalTime(timestamp, timezone);

/** USR-07: `yyyy-MM-dd h:mm:ss a` and the zone, such as `2026-11-21 1:00:12 AM CST`. */
export function formatLoginTime(timestamp: number, timezone: string = viewerTimezone()): string {
  const [date = "", time = "", ...zone] = formatDateTime(timestamp, timezone).split(" ");
  const [hour = "0", ...rest] = time.split(":");
  const half = Number(hour) < 12 ? "AM" : "PM";
  return `${date} ${Number(hour) % 12 || 12}:${rest.join(":")} ${half} ${zone.join(" ")}`;
}
