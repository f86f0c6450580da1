const formats = new Map<string, Intl.DateTimeFormat>();

/** `yyyy-MM-dd HH:mm:ss` and the zone's name at that time, as the console shows times (COM-06). */
export function formatLocalTime(epochSeconds: number, timezone: string): string {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(epochSeconds * 1000)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return `${of("year")}-${of("month")}-${of("day")} ${of("hour")}:${of("minute")}:${of("second")} ${of("timeZoneName")}`;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "short",
    });
    formats.set(timezone, format);
  }
  return format;
}
