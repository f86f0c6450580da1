import { integerSlotCount, slotCount } from "./scalar-slots.ts";
import type { ScalarReading } from "./telemetry.ts";

/** The last value of each metric of a scalar with its own time, by slot: NaN where there was none. Never changed once it is committed, only replaced. */
export interface LastValues {
  values: readonly number[];
  timesMs: readonly number[];
}

interface MutableLastValues {
  values: number[];
  timesMs: number[];
}

const decimals = 1_000;
/** `ver,flag,epochMs,…`: the time comes after version and flag. */
const timePlace = integerSlotCount;

const none = Array.from({ length: slotCount }, () => Number.NaN);
export const noLastValues: LastValues = { values: none, timesMs: none };

/**
 * Takes in what a message holds: a node that reports by exception sends what changed, the rest stays as it was. Each metric goes by its own
 * time, so the order in which parts of a scalar come changes nothing.
 * @param isOwn no one else holds `known`: it may be changed
 * @returns the same object when nothing is newer
 */
export function mergeLastValues(known: LastValues, { atMs, values, nulls }: ScalarReading, isOwn = false): LastValues {
  let merged = isOwn ? (known as MutableLastValues) : undefined;
  for (let slot = 0; slot < slotCount; slot++) {
    const value = values[slot]!;
    const isNull = nulls !== undefined && (nulls & (1 << slot)) !== 0;
    // A time that is there already was reported before, perhaps by the same message.
    if ((Number.isNaN(value) && !isNull) || known.timesMs[slot]! >= atMs) continue;
    merged ??= { values: known.values.slice(), timesMs: known.timesMs.slice() };
    merged.values[slot] = value;
    merged.timesMs[slot] = atMs;
  }
  return merged ?? known;
}

/** `lastScalarData`: `ver,flag,epochMs,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,q1,q2,q3,pf1,pf2,pf3`, with the newest time; empty where there is no value. */
export function textOfValues({ values, timesMs }: LastValues): string {
  let text = "";
  for (let slot = 0; slot < values.length; slot++) {
    const value = values[slot]!;
    if (slot === timePlace) text += `,${newestOf(timesMs)}`;
    if (slot > 0) text += ",";
    if (!Number.isNaN(value)) text += Math.round(value * decimals) / decimals;
  }
  return text;
}

/** Epoch milliseconds of each slot; empty where nothing was reported. */
export function textOfTimes({ timesMs }: LastValues): string {
  let text = "";
  // Metrics of one message nearly always share one time.
  let shownMs = Number.NaN;
  let shown = "";
  for (let slot = 0; slot < timesMs.length; slot++) {
    const atMs = timesMs[slot]!;
    if (atMs !== shownMs) {
      shownMs = atMs;
      shown = Number.isNaN(atMs) ? "" : String(atMs);
    }
    text += slot > 0 ? `,${shown}` : shown;
  }
  return text;
}

/** Of the measurements that have a value: when the oldest of them was reported. */
export function oldestValueMs({ values, timesMs }: LastValues): number | undefined {
  let oldest: number | undefined;
  for (let slot = integerSlotCount; slot < slotCount; slot++) {
    if (!Number.isNaN(values[slot]) && (oldest === undefined || timesMs[slot]! < oldest)) oldest = timesMs[slot];
  }
  return oldest;
}

/** As the database has them. What was stored before each value had its time has the time of the whole. */
export function readLastValues(valuesText: string, timesText: string): LastValues {
  if (valuesText === "") return noLastValues;
  const numbers = (text: string) => text.split(",").map((part) => (part === "" ? Number.NaN : Number(part)));
  const parts = numbers(valuesText);
  const atMs = parts[timePlace]!;
  const padded = (list: number[]) => none.map((missing, slot) => list[slot] ?? missing);
  const values = padded(parts.toSpliced(timePlace, 1));
  const timesMs = timesText === "" ? values.map((value) => (Number.isNaN(value) ? value : atMs)) : padded(numbers(timesText));
  return { values, timesMs };
}

function newestOf(timesMs: readonly number[]): number {
  let newest = -Infinity;
  for (const atMs of timesMs) if (atMs > newest) newest = atMs;
  return newest;
}
