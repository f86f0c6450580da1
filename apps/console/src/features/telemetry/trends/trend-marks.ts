import type { TrendMark, TrendMarkKind } from "@busbar/contract/telemetry/trends.ts";
import type { TimeSpan } from "./zone-time.ts";

/** How a kind of marks is drawn and called. */
export const markLooks: Record<TrendMarkKind, { glyph: string; word: string; words: string }> = {
  note: { glyph: "✎", word: "Note", words: "Notes" },
  event: { glyph: "∿", word: "Event", words: "Events" },
  alarm: { glyph: "▲", word: "Alarm", words: "Alarms" },
  placement: { glyph: "⇄", word: "Placement", words: "Placements" },
  config: { glyph: "⚙", word: "Configuration", words: "Configuration" },
  outage: { glyph: "▬", word: "Outage", words: "Outages" },
};

/** What nodes sent in the weeks before, with what the platform missed. Anywhere on earth the day has come a day later. */
const coverageAfter = (timestamp: number): string =>
  `#/coverage?kind=scalars&show=all&to=${new Date((timestamp + 86_400) * 1000).toISOString().slice(0, 10)}`;

/** Where the console shows it. */
export function hrefOfMark({ ref, serialNumber, kind, timestamp, endTimestamp }: TrendMark): string {
  if (ref?.startsWith("event/")) return `#/events/${encodeURIComponent(ref.slice("event/".length))}`;
  if (ref?.startsWith("incident/")) return `#/incidents/${ref.slice("incident/".length)}`;
  if (serialNumber === null) return coverageAfter(endTimestamp ?? timestamp);
  const shows: Partial<Record<TrendMarkKind, string>> = { note: "?show=notes", config: "?show=configuration" };
  return `#/nodes/${ref?.startsWith("node/") ? ref.slice("node/".length) : serialNumber}${shows[kind] ?? ""}`;
}

export interface MarkCluster {
  /** Share of the span. */
  place: number;
  marks: TrendMark[];
}

/** The marks in sight; those that would lie on each other are one. */
export function clustersOf(marks: readonly TrendMark[], { from, to }: TimeSpan, room: number): MarkCluster[] {
  const clusters: MarkCluster[] = [];
  for (const mark of marks) {
    const place = (Math.max(mark.timestamp, from) - from) / (to - from);
    const end = mark.endTimestamp ?? mark.timestamp;
    if (place > 1 || end < from) continue;
    const last = clusters.at(-1);
    if (last && place - last.place < room) last.marks.push(mark);
    else clusters.push({ place, marks: [mark] });
  }
  return clusters;
}
