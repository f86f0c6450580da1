const dates = new Map<string, Intl.DateTimeFormat>();
const zones = new Map<string, Intl.DateTimeFormat>();

function cached(formats: Map<string, Intl.DateTimeFormat>, key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  let format = formats.get(key);
  if (!format) {
    format = make();
    formats.set(key, format);
  }
  return format;
}

let ownTimezone: string | undefined;

/** The reader's zone; asking the browser is dear, and it stays while the page does. */
export function viewerTimezone(): string {
  ownTimezone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownTimezone;
}

/** COM-06: `yyyy-MM-dd HH:mm:ss zone` of an epoch second, such as `2026-11-21 01:00:12 CST`. */
export function formatDateTime(timestamp: number, timezone: string = viewerTimezone()): string {
  const ms = timestamp * 1000;
  const date = cached(
    dates,
    timezone,
    () => new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" }),
  );
  const zone = cached(zones, timezone, () => new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "short" }));
  const name = zone.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? timezone;
  return `${date.format(ms)} ${name}`;
}

/** USR-07: `yyyy-MM-dd h:mm:ss a` and the zone, such as `2026-11-21 1:00:12 AM CST`. */
export function formatLoginTime(timestamp: number, timezone: string = viewerTimezone()): string {
  const [date = "", time = "", ...zone] = formatDateTime(timestamp, timezone).split(" ");
  const [hour = "0", ...rest] = time.split(":");
  const half = Number(hour) < 12 ? "AM" : "PM";
  return `${date} ${Number(hour) % 12 || 12}:${rest.join(":")} ${half} ${zone.join(" ")}`;
}
