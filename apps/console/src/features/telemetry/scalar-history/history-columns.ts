import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";

/** A scalar, or a note that was written at its time. */
export interface HistoryLine {
  timestamp: number;
  scalar?: ScalarHistoryRow;
  note?: PlotNote;
}

const reading = (label: string, name: keyof ScalarHistoryRow): Column<HistoryLine> => ({
  label,
  text: ({ scalar }) => formatReading(scalar?.[name] ?? null),
  isRight: true,
});
const count = (label: string, name: keyof ScalarHistoryRow): Column<HistoryLine> => ({
  label,
  text: ({ scalar }) => String(scalar?.[name] ?? "–"),
  isRight: true,
});

// DSH-11
export const historyColumns = (timezone: string): Column<HistoryLine>[] => [
  { label: "Time", text: ({ timestamp }) => formatDateTime(timestamp, timezone) },
  count("Ver", "version"),
  count("Flag", "flag"),
  reading("LF", "lineFrequency"),
  reading("I1", "current1"),
  reading("I2", "current2"),
  reading("I3", "current3"),
  reading("V1", "voltage1"),
  reading("V2", "voltage2"),
  reading("V3", "voltage3"),
];

/** Scalars and notes, newest first. */
export function historyLines(rows: readonly ScalarHistoryRow[], notes: readonly PlotNote[]): HistoryLine[] {
  const lines: HistoryLine[] = rows.map((scalar) => ({ timestamp: scalar.timestamp, scalar }));
  if (notes.length === 0) return lines;
  return [...lines, ...notes.map((note) => ({ timestamp: note.timestamp, note }))].toSorted((a, b) => b.timestamp - a.timestamp);
}
