import type { BulkKind, BulkObject, BulkPlanRow, BulkValue } from "@busbar/contract/directory/bulk-changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { formatDateTime } from "#lib/format-date.ts";

export const nouns: Readonly<Record<BulkKind, string>> = { nodes: "node", locations: "location", subscriptions: "user" };

export function valueText(field: string, value: BulkValue, timezone: string | null): string {
  if (value === null && field.startsWith("faultLibraryAlertFlags")) return "(as by default)";
  if (value === null || value === "") return "(none)";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" && field.endsWith("Timestamp") ? formatDateTime(value, timezone ?? "UTC") : String(value);
}

export const changesText = ({ changes, timezone }: Pick<BulkObject, "changes" | "timezone">): string =>
  changes
    .map(({ field, label, before, after }) => `${label}: ${valueText(field, before, timezone)} → ${valueText(field, after, timezone)}`)
    .join("; ");

/** How many a plan changes, and how many it leaves out. */
export function planWords(kind: BulkKind, rows: readonly BulkPlanRow[]): string {
  const left = rows.filter(({ reason }) => reason !== "").length;
  const would = left === rows.length ? "Nothing would be changed" : `${counted(rows.length - left, nouns[kind])} would be changed`;
  return `${would}${left > 0 ? `, ${left} left out` : ""}`;
}

/** Where a location or a user is edited alone. */
export const pageOf = (object: string, name: string): string =>
  object.startsWith("user/") ? `#/users/${object.slice("user/".length)}` : `#/customers?filterText=${encodeURIComponent(name)}`;
