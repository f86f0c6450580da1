import { eventNameOf, parseEventName } from "@busbar/contract/files/recorded-events.ts";
import type { EventKind } from "@busbar/contract/files/event-files.ts";
import type { PoolClient } from "pg";
import { cleanText } from "#lib/clean-text.ts";
import type { EventReader } from "./event-reader.ts";
import type { ParsedEvent } from "./event-record.thread.ts";
import type { EventFileRow, EventFindings, EventKey, RecordedEventsStore } from "./recorded-events.store.ts";

const ranks: Record<EventKind, number> = { event: 1, alarm: 2, trip: 3 };
const longestWords = 120;

/** What a file was found to say; of a pair it has the configuration's name. */
export interface ReadFile {
  fileName: string;
  parsed: ParsedEvent;
}

/** Adds what one file says to what is known of its event; inside the transaction that says that the file was read. */
export async function recordFindings(store: RecordedEventsStore, client: PoolClient, key: EventKey, { fileName, parsed }: ReadFile) {
  const known = await store.hold(client, key);
  if (!known) return;
  const { measures } = parsed;
  const isSource = known.waveformFile === fileName;
  const waveformFile = measures ? fileName : isSource ? null : known.waveformFile;
  const figures = measures ?? (isSource ? null : undefined);
  await store.write(client, key, { ...findingsWith(known, parsed), waveformFile }, figures);
}

/** Reads the files of an event again, for what was read before there was anything to measure it for. */
export async function readAgain(read: EventReader, files: readonly EventFileRow[]): Promise<ReadFile[]> {
  const found: ReadFile[] = [];
  const hasConfig = files.some(({ part }) => part.endsWith(".cfg"));
  for (const file of files) {
    if (file.part.endsWith(".dat") && hasConfig) continue;
    const partner = file.part.endsWith(".cfg") ? files.find(({ part }) => part.endsWith(".dat")) : undefined;
    found.push({ fileName: file.fileName, parsed: await read(file, partner) });
  }
  return found;
}

/** A file that says nothing of itself says nothing of its event. */
function findingsWith(known: EventFindings, { kind, labels, problem }: ParsedEvent): Pick<EventFindings, "kind" | "words"> {
  if (problem !== undefined && labels.length === 0) return known;
  const facts = new Map(labels);
  const own = [facts.get("Event") ?? facts.get("Newest event"), facts.get("Targets")].filter(Boolean).join(", ");
  const isGraver = known.kind === null || ranks[kind] > ranks[known.kind];
  return {
    kind: isGraver ? kind : known.kind,
    words: own !== "" && (isGraver || known.words === "") ? cleanText(own, longestWords) : known.words,
  };
}

/** The event that a file belongs to. */
export const eventOfFile = (fileName: string): EventKey => parseEventName(eventNameOf(fileName))!;
