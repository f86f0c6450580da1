import { DataType, isInt32FieldType } from "./datatypes.ts";
import { interpretValue } from "./interpret.ts";
import type { MetricTable } from "./metric-table.ts";

/** Where the numbers of a birth's metrics go: for each alias a slot and the type of its value. */
export interface NumberSlots {
  /** -1 for an alias of another metric. */
  slots: Int16Array;
  types: Uint8Array;
}

/** What a message of numbers holds, beside the numbers. */
export interface NumbersHead {
  seq: number;
  /** Publish time, epoch milliseconds. */
  timestamp: number;
  /** Acquisition time of all of its metrics. */
  atMs: number;
}

/** Aliases beyond it are rare: metrics that have one are read in the general way. */
const mostAliases = 1_024;
const mostMetrics = 64;

/** @param slotOf undefined for a metric that has no slot */
export function createNumberSlots(table: MetricTable, slotOf: (name: string) => number | undefined): NumberSlots {
  const slots = new Int16Array(mostAliases).fill(-1);
  const types = new Uint8Array(mostAliases);
  for (const [alias, { name, datatype }] of table.byAlias) {
    const slot = slotOf(name);
    if (alias >= mostAliases || slot === undefined || (datatype !== DataType.Float && !isInt32FieldType(datatype))) continue;
    slots[alias] = slot;
    types[alias] = datatype;
  }
  return { slots, types };
}

const floatBytes = new Uint8Array(4);
const floatView = new DataView(floatBytes.buffer);

// Of the message that is being read; a read never waits.
let position = 0;

/** Of up to 49 bits; -1 for one that is longer or ends behind `end`. */
function readVarint(bytes: Uint8Array, end: number): number {
  let value = 0;
  for (let factor = 1; position < end && factor < 0x2000000000000; factor *= 0x80) {
    const byte = bytes[position++]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
  }
  return -1;
}

/**
 * Reads a DATA payload that is nothing but numbers of one time, each with its alias: what nodes send nearly always. It makes no objects, as
 * `decodePayload` does for each metric, and leaves every other payload to it.
 * @param values gets each number in its slot, with the type of the birth, as `decodePayload` and the birth's table would have it
 * @returns false for a payload that has anything else in it, or is broken; `head` and `values` mean nothing then
 */
export function readNumbers(bytes: Uint8Array, { slots, types }: NumberSlots, head: NumbersHead, values: number[]): boolean {
  const end = bytes.length;
  head.seq = -1;
  head.timestamp = -1;
  head.atMs = -1;
  let metrics = 0;
  let isTimeLeftOut = false;
  position = 0;
  while (position < end) {
    const key = bytes[position++];
    if (key === 18) {
      const metricEnd = readVarint(bytes, end) + position;
      if (metricEnd > end || metricEnd < position || ++metrics > mostMetrics) return false;
      const timeMs = readMetric(bytes, metricEnd, slots, types, values);
      if (timeMs === broken || (timeMs !== noTime && head.atMs >= 0 && head.atMs !== timeMs)) return false;
      if (timeMs === noTime) isTimeLeftOut = true;
      else head.atMs = timeMs;
    } else if (key === 8) {
      head.timestamp = readVarint(bytes, end);
      if (head.timestamp < 0) return false;
    } else if (key === 24) {
      head.seq = readVarint(bytes, end);
      if (head.seq < 0) return false;
    } else return false;
  }
  if (metrics === 0 || head.timestamp < 0 || head.seq < 0 || head.seq > 255) return false;
  if (isTimeLeftOut && head.atMs >= 0 && head.atMs !== head.timestamp) return false;
  if (isTimeLeftOut) head.atMs = head.timestamp;
  return true;
}

const broken = -1;
const noTime = -2;

/** @returns its time, `noTime`, or `broken` for one that is to be read in the general way */
function readMetric(bytes: Uint8Array, end: number, slots: Int16Array, types: Uint8Array, values: number[]): number {
  let alias = -1;
  let timeMs = noTime;
  let value = Number.NaN;
  let isFloat = false;
  while (position < end) {
    const field = bytes[position++];
    if (field === 16) {
      alias = readVarint(bytes, end);
    } else if (field === 24) {
      timeMs = readVarint(bytes, end);
      if (timeMs < 0) return broken;
    } else if (field === 101) {
      if (position + 4 > end) return broken;
      for (let index = 0; index < 4; index++) floatBytes[index] = bytes[position++]!;
      value = floatView.getFloat32(0, true);
      isFloat = true;
    } else if (field === 80) {
      value = readVarint(bytes, end);
      if (value < 0) return broken;
      isFloat = false;
    } else if (field !== 40 || readVarint(bytes, end) !== 0) return broken; // 40: a value of history, or not
  }
  const slot = slots[alias] ?? -1;
  const type = types[alias] ?? 0;
  if (slot < 0 || !Number.isFinite(value) || isFloat !== (type === DataType.Float)) return broken;
  values[slot] = isFloat ? value : (interpretValue(value, type) as number);
  return timeMs;
}
