import type { MetricTable } from "@busbar/sparkplug/metric-table.ts";
import { createNumberSlots, readNumbers, type NumberSlots, type NumbersHead } from "@busbar/sparkplug/number-slots.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { NodeMessage, NodeSession } from "./node-sessions.ts";
import { scalarSlot } from "./scalar-slots.ts";
import { bareEntry, type EntryTimes } from "./settled-entry.ts";
import { hasScalar, integersFit, noValues, timeProblem } from "./telemetry.ts";

// Nodes of one firmware share their table.
const slotsOf = new WeakMap<MetricTable, NumberSlots>();

/**
 * The entry of a message that is one scalar of now and nothing else, which nearly all are, read without a step between. It says the same as the
 * general way would.
 * @returns undefined for any other message; nothing of it has been taken then
 */
export function plainEntry(node: NodeSession, message: NodeMessage, nowMonotonic: number, times: EntryTimes): IngestEntry | undefined {
  const { session, live } = node;
  const { table } = session;
  if (message.kind !== "NDATA" || table === undefined) return undefined;
  let slots = slotsOf.get(table);
  if (slots === undefined) slotsOf.set(table, (slots = createNumberSlots(table, scalarSlot)));
  const values = noValues.slice();
  if (!readNumbers(message.bytes, slots, head, values)) return undefined;
  const { seq, timestamp, atMs } = head;
  if (!integersFit(values) || !hasScalar(values) || timeProblem(atMs, times) !== undefined) return undefined;
  if (!session.takeNext(seq, timestamp, nowMonotonic)) return undefined;
  message.publishedAtMs = timestamp;
  live.skew.add(timestamp - message.receivedAtMs);
  const entry = bareEntry(message, node.serial, none);
  entry.subject = live;
  entry.lastSeq = seq;
  entry.hasClock = true;
  entry.plain = { atMs, isHistorical: false, values };
  return entry;
}

// Of the message that is being read.
const head: NumbersHead = { seq: 0, timestamp: 0, atMs: 0 };
const none: readonly string[] = [];
