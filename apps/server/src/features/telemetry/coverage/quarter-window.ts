import type { PlatformOutage } from "#lib/platform-outages.ts";
import { firstQuarter, quarterOf } from "#lib/quarters.ts";
import { setBits } from "./bit-run.ts";

/** Months without a break between them, whose quarters of an hour are counted from the first. */
export interface QuarterWindow {
  months: readonly string[];
  /** At which byte each of them begins. */
  starts: readonly number[];
  /** The first quarter, and the one after the last, since 1970. */
  first: number;
  end: number;
}

/** A bit for each quarter of a window; null where none is set. */
export interface NodeBits {
  received: Uint8Array;
  partly: Uint8Array | null;
  late: Uint8Array | null;
  backfilled: Uint8Array | null;
  failed: Uint8Array | null;
}

/** The bits of one month, as they are kept. */
export interface MonthRow {
  month: string;
  received: Buffer;
  partly: Buffer | null;
  late: Buffer | null;
  backfilled: Buffer | null;
  failed: Buffer | null;
}

/** The first one is always there. */
export const planes = ["received", "partly", "late", "backfilled", "failed"] as const;

/** The months that hold the quarters from one up to before another. */
export function windowOf(from: number, to: number): QuarterWindow {
  const months: string[] = [];
  const begin = new Date(from * 900_000);
  for (let index = 0; ; index++) {
    const month = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + index, 1)).toISOString().slice(0, 10);
    if (index > 0 && firstQuarter(month) >= to) {
      const first = firstQuarter(months[0]!);
      return { months, starts: months.map((each) => (firstQuarter(each) - first) / 8), first, end: firstQuarter(month) };
    }
    months.push(month);
  }
}

const bytesOf = ({ first, end }: QuarterWindow): number => (end - first) / 8;

export const emptyBits = (window: QuarterWindow): NodeBits => ({
  received: new Uint8Array(bytesOf(window)),
  partly: null,
  late: null,
  backfilled: null,
  failed: null,
});

/** Puts the months of one node side by side. */
export function joinMonths(window: QuarterWindow, rows: readonly MonthRow[]): NodeBits {
  const joined = emptyBits(window);
  for (const row of rows) putMonth(window, joined, row);
  return joined;
}

/** In place of what was there of this month; one of fewer days than 31 ends before its last bytes. */
export function putMonth(window: QuarterWindow, bits: NodeBits, row: MonthRow): void {
  const place = window.months.indexOf(row.month);
  const at = window.starts[place]!;
  const end = window.starts[place + 1] ?? bytesOf(window);
  for (const plane of planes) {
    const bytes = row[plane];
    if (!bytes) bits[plane]?.fill(0, at, end);
    else (bits[plane] ??= new Uint8Array(bytesOf(window))).set(bytes.subarray(0, end - at), at);
  }
}

/** Quarters of which the platform was away for any time. */
export function outageBits(window: QuarterWindow, outages: readonly PlatformOutage[]): Uint8Array {
  const bits = new Uint8Array(bytesOf(window));
  for (const { start, end } of outages)
    setBits(bits, Math.max(0, quarterOf(start) - window.first), Math.min(window.end, quarterOf(end) + 1) - window.first);
  return bits;
}
