import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";

/** COM-06 in the place's own zone; UTC and the reader's time on hover. */
export function DateTime({ timestamp, timezone }: { timestamp: number; timezone: string | null }) {
  const shown = formatDateTime(timestamp, timezone ?? "UTC");
  const title = `${formatDateTime(timestamp, "UTC")}\n${formatDateTime(timestamp)} (${viewerTimezone()}, yours)`;
  return (
    <time dateTime={new Date(timestamp * 1000).toISOString()} title={title}>
      {shown}
    </time>
  );
}
