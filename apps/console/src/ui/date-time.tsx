import type { ReactNode } from "react";
import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";

/** COM-06 in the place's own zone; UTC and the reader's time on hover. */
export function DateTime({ timestamp, timezone }: { timestamp: number; timezone: string | null }) {
  return <HoverTimes {...{ timestamp, timezone }}>{formatDateTime(timestamp, timezone ?? "UTC")}</HoverTimes>;
}

/** Words about a moment, with its times in a tooltip: made when it is requested, since a live table changes hundreds a second. */
export function HoverTimes({ timestamp, timezone, children }: { timestamp: number; timezone: string | null; children: ReactNode }) {
  return (
    <span
      onMouseEnter={({ currentTarget }) => {
        currentTarget.title = dateTimeTitle(timestamp, timezone);
      }}
    >
      {children}
    </span>
  );
}

/** The same moment in the place's zone, in UTC and for the reader, a line each. */
function dateTimeTitle(timestamp: number, timezone: string | null): string {
  const place = timezone === null ? "" : `${formatDateTime(timestamp, timezone)} (${timezone})\n`;
  return `${place}${formatDateTime(timestamp, "UTC")}\n${formatDateTime(timestamp)} (${viewerTimezone()}, yours)`;
}
