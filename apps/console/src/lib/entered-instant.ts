import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { formatDateTime } from "./format-date.ts";

/** An instant as a form shows it: text of a zone's clocks. */
export interface EnteredInstant {
  timestamp: number;
  timezone: string;
  text: string;
}

/** The text of an epoch second for a date/time input. */
export function enterInstant(timestamp: number, timezone: string): EnteredInstant {
  return { timestamp, timezone, text: formatDateTime(timestamp, timezone).slice(0, "yyyy-MM-dd HH:mm:ss".length) };
}

/**
 * The epoch second of a date/time input. A text that no one touched is the instant that it was made from, also in the second of
 * two equal hours and when it has parts of a second.
 */
export function instantOf(text: string, timezone: string, original?: EnteredInstant): { timestamp: number } | { problem: string } {
  if (original && text === original.text && timezone === original.timezone) return { timestamp: original.timestamp };
  return readLocalDateTime(text, timezone);
}
