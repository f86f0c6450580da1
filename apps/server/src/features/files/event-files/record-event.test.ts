import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import type { ParsedEvent } from "./event-record.thread.ts";
import { recordFindings } from "./record-event.ts";
import type { EventFindings, EventKey, RecordedEventsStore } from "./recorded-events.store.ts";

const key: EventKey = { serial: 10_001, timestamp: 1_790_000_100, number: 1 };
const measures = { durationSeconds: 1 } as NonNullable<ParsedEvent["measures"]>;

/** What is written of an event of which this much is known, once a file says that; undefined when nothing is. */
async function afterFile(known: Partial<EventFindings> | undefined, said: Partial<ParsedEvent>) {
  let written: unknown;
  const store = {
    hold: async () => known && { kind: null, words: "", waveformFile: null, ...known },
    write: async (_client: PoolClient, _key: EventKey, { kind, words, waveformFile }: EventFindings, figures: unknown) =>
      void (written = [kind, words, waveformFile, figures]),
  } as unknown as RecordedEventsStore;
  const parsed = { kind: "event", labels: [], problem: undefined, measures: undefined, ...said } as unknown as ParsedEvent;
  await recordFindings(store, {} as PoolClient, key, { fileName: "this.cfg", parsed });
  return written;
}
const event = (text: string): ParsedEvent["labels"] => [["Event", text]];

test.each<[what: string, Partial<EventFindings> | undefined, Partial<ParsedEvent>, unknown]>([
  ["of an event whose files are gone", undefined, { kind: "trip" }, undefined],
  ["the first", {}, { labels: event("AG") }, ["event", "AG", null, undefined]],
  ["a graver one", { kind: "event", words: "AG" }, { kind: "trip", labels: event("AG T") }, ["trip", "AG T", null, undefined]],
  ["a graver one without words", { kind: "event", words: "AG" }, { kind: "alarm" }, ["alarm", "AG", null, undefined]],
  ["one as grave", { kind: "alarm", words: "AG" }, { kind: "alarm", labels: event("BG") }, ["alarm", "AG", null, undefined]],
  ["a lesser one", { kind: "trip", words: "AG T" }, { labels: event("ER") }, ["trip", "AG T", null, undefined]],
  ["a lesser one where there are no words", { kind: "trip" }, { labels: event("ER") }, ["trip", "ER", null, undefined]],
  [
    "one that cannot be read and says nothing",
    { kind: "alarm", words: "AG" },
    { kind: "trip", problem: "Cut" },
    ["alarm", "AG", null, undefined],
  ],
  [
    "one that cannot be read as a whole",
    { kind: "alarm", words: "AG" },
    { kind: "trip", problem: "Cut", labels: event("AG T") },
    ["trip", "AG T", null, undefined],
  ],
  ["one with a waveform", { kind: "trip", waveformFile: "other.cfg" }, { measures }, ["trip", "", "this.cfg", measures]],
  ["one without, of whose waveform the figures were", { kind: "trip", waveformFile: "this.cfg" }, {}, ["trip", "", null, null]],
  ["one without, beside another one's", { kind: "trip", waveformFile: "other.cfg" }, {}, ["trip", "", "other.cfg", undefined]],
])("A-63 a file adds to what is known of its event: %s", async (_, known, said, written) => {
  expect(await afterFile(known, said)).toEqual(written);
});
