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

/** COM-06: `yyyy-MM-dd HH:mm:ss zone` of an epoch second, such as `2026-11-21 01:00:12 CST`. */
export function formatLocalTime(timestamp: number, timezone: string): string {
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
