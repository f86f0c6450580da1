import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";

/** COM-06 in the place's own zone; UTC and the reader's time on hover. */
export function DateTime({ timestamp, timezone }: { timestamp: number; timezone: string | null }) {
  return (
    <time dateTime={new Date(timestamp * 1000).toISOString()} title={dateTimeTitle(timestamp, timezone)}>
      {formatDateTime(timestamp, timezone ?? "UTC")}
    </time>
  );
}

/** The same moment in the place's zone, in UTC and for the reader, a line each. */
export function dateTimeTitle(timestamp: number, timezone: string | null): string {
  const place = timezone === null ? "" : `${formatDateTime(timestamp, timezone)} (${timezone})\n`;
  return `${place}${formatDateTime(timestamp, "UTC")}\n${formatDateTime(timestamp)} (${viewerTimezone()}, yours)`;
}
