import { parentPort } from "node:worker_threads";
import type { EventWaveform } from "@busbar/contract/files/event-files.ts";
import { measureWaveform, type WaveformMeasures } from "@busbar/waveform/measure.ts";
import { readEventRecord, type EventPart, type EventRecord } from "./event-record.ts";
import { viewWaveform, type WaveformRange } from "./waveform-view.ts";

export interface EventQuestion {
  /** Names the bytes of the file and its partner. */
  key: string;
  /** Undefined: what the file says of itself, and what its waveform measures. */
  range: WaveformRange | undefined;
  /** Absent in the first try: the record may be known. */
  parts?: { file: EventPart; partner: EventPart | undefined };
}

export type ParsedEvent = Omit<EventRecord, "waveform"> & {
  /** Of the range that was asked for. */
  waveform: EventWaveform | undefined;
  /** Where no range was asked for. */
  measures: WaveformMeasures | undefined;
};
export type EventAnswer = { isUnknown: true } | { event: ParsedEvent } | { failure: string };

const cachedBytes = 96 * 1024 * 1024;
/** What was requested last, the newest at the end: someone who zooms asks again and again. */
const cache = new Map<string, { record: EventRecord; bytes: number }>();

parentPort?.on("message", (question: EventQuestion) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(question));
});

function answer({ key, range, parts }: EventQuestion): EventAnswer {
  try {
    const record = cache.get(key)?.record ?? (parts && readEventRecord(parts.file, parts.partner));
    if (!record) return { isUnknown: true };
    remember(key, record);
    const { waveform, ...event } = record;
    return {
      event: {
        ...event,
        waveform: waveform && range && viewWaveform(waveform, range),
        measures: range ? undefined : waveform && measureWaveform(waveform),
      },
    };
  } catch (error) {
    return { failure: (error as Error).stack ?? String(error) };
  }
}

function remember(key: string, record: EventRecord): void {
  cache.delete(key);
  cache.set(key, { record, bytes: bytesOf(record) });
  let held = [...cache.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [oldest, { bytes }] of cache) {
    if (held <= cachedBytes) break;
    cache.delete(oldest);
    held -= bytes;
  }
}

function bytesOf({ waveform }: EventRecord): number {
  if (!waveform) return 10_000;
  const { times, analogs, digitals } = waveform;
  return times.byteLength + [...analogs, ...digitals].reduce((sum, { values }) => sum + values.byteLength, 0);
}
