import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { formatReading } from "#lib/format-number.ts";

export interface HistoryColumn {
  label: string;
  text: (row: ScalarHistoryRow, timezone: string) => string;
}

// DSH-11
export const historyColumns: HistoryColumn[] = [
  { label: "Time", text: (row, timezone) => formatDateTime(row.timestamp, timezone) },
  { label: "Ver", text: (row) => String(row.version ?? "–") },
  { label: "Flag", text: (row) => String(row.flag ?? "–") },
  { label: "LF", text: (row) => formatReading(row.lineFrequency) },
  { label: "I1", text: (row) => formatReading(row.current1) },
  { label: "I2", text: (row) => formatReading(row.current2) },
  { label: "I3", text: (row) => formatReading(row.current3) },
  { label: "V1", text: (row) => formatReading(row.voltage1) },
  { label: "V2", text: (row) => formatReading(row.voltage2) },
  { label: "V3", text: (row) => formatReading(row.voltage3) },
];
