import { createBoundedMap } from "#lib/bounded-map.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { Log } from "#lib/log.ts";
import { readStoredFile } from "#lib/stored-file.ts";
import { ThreadFailure, createThreadCaller } from "#lib/thread-caller.ts";
import { UnreadableFile } from "#lib/unreadable-file.ts";
import { formatOf, unread, type EventPart } from "./event-record.ts";
import type { EventAnswer, EventQuestion, ParsedEvent } from "./event-record.thread.ts";
import type { WaveformRange } from "./waveform-view.ts";

/** An event file whose bytes are in the file store. */
export interface StoredEventFile {
  fileName: string;
  hash: Buffer;
  isGzip: boolean;
}

// 20 MB, the most that a file may have, take three seconds (`npm run bench -- event-files`).
const usualPatienceMs = 20_000;
// Twice what the worst of 20 MB was found to need: at its limit a thread may take the whole program with it.
const maxHeapMb = 1_024;
const idleMs = 60_000;
const mostWaiting = 16;
const rememberedFailures = 200;

const failureSentences: Record<ThreadFailure["why"], string> = {
  slow: "Reading the file takes too long",
  memory: "Reading the file needs more memory than there is for it",
  broken: "The file could not be read",
};

export type EventReader = ReturnType<typeof createEventReader>;

/**
 * Reads event files in a thread beside the program: up to 20 MB of foreign text must not hold up other calls. The thread keeps the last
 * records, so that a finer part of one costs no second reading.
 */
export function createEventReader(fileStore: FileStore, log: Log, patienceMs = usualPatienceMs) {
  const { ask } = createThreadCaller<EventQuestion, EventAnswer>({
    program: new URL("./event-record.thread.ts", import.meta.url),
    busyMessage: "Too many event files are being read at the moment. Please try again",
    mostWaiting,
    patienceMs,
    maxHeapMb,
    idleMs,
  });
  /** Files that ended the thread: they would do so again. */
  const failures = createBoundedMap<string, string>(rememberedFailures);

  const load = async ({ fileName, hash, isGzip }: StoredEventFile): Promise<EventPart> => ({
    fileName,
    bytes: await readStoredFile(fileStore, { hash, isGzip }, maxFileBytes.E),
  });

  async function answerOf(key: string, file: StoredEventFile, partner: StoredEventFile | undefined, range: WaveformRange | undefined) {
    const known = await ask({ key, range });
    if ("event" in known) return known;
    const parts = { file: await load(file), partner: partner && (await load(partner)) };
    return ask({ key, range, parts });
  }

  /** What the file says, with its partner when there is one; without a range what its waveform measures. @throws AppError 429 */
  return async (file: StoredEventFile, partner: StoredEventFile | undefined, range?: WaveformRange): Promise<ParsedEvent> => {
    const failed = (problem: string): ParsedEvent => ({
      ...unread(formatOf(file.fileName)),
      waveform: undefined,
      measures: undefined,
      problem,
    });
    const key = [file, partner].map((part) => (part ? `${formatKey(part.fileName)} ${part.hash.toString("hex")}` : "")).join(" ");
    const failure = failures.get(key);
    if (failure !== undefined) return failed(failure);
    try {
      const answer = await answerOf(key, file, partner, range);
      if ("event" in answer) return answer.event;
      log.error({ file: file.fileName, failure: "failure" in answer ? answer.failure : "unknown" }, "an event file could not be read");
      return failed(failureSentences.broken);
    } catch (error) {
      if (error instanceof UnreadableFile) return failed(error.message);
      if (!(error instanceof ThreadFailure)) throw error;
      log.warn({ file: file.fileName, why: error.why }, "the thread that reads event files was ended");
      failures.set(key, failureSentences[error.why]);
      return failed(failureSentences[error.why]);
    }
  };
}

/** Equal bytes under another kind of name read otherwise. */
const formatKey = (fileName: string): string => fileName.slice(fileName.lastIndexOf("."));
