import type { Ingest } from "#features/telemetry/scalars/scalars.ingest.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Clock } from "#lib/clock.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import type { NodeWatchStore } from "./node-watch.store.ts";
import type { WatchedEvent } from "./watched-event.ts";

export interface NodeWatch {
  /** Ingest's `submit`, which keeps a copy of what watched nodes send. */
  tap(submit: Ingest["submit"]): Ingest["submit"];
  note(serial: string, event: Omit<WatchedEvent, "atMs">): void;
  start(): void;
  stop(): Promise<void>;
}

export interface NodeWatchOptions {
  store: NodeWatchStore;
  clock: Clock;
  limitedLog: LimitedLog;
}

const pollMs = 1_000;
const flushMs = 250;
const mostEvents = 20_000;
const mostBytes = 32 * 1024 * 1024;

/** Hands what nodes under `check-node` send to whoever checks them, through the database: it may be another machine. */
export function createNodeWatch({ store, clock, limitedLog }: NodeWatchOptions): NodeWatch {
  /** What has been kept of each watched node. */
  let watched = new Map<number, { events: number; bytes: number }>();
  let waiting: (WatchedEvent & { serial: number })[] = [];
  let writing: Promise<void> | undefined;
  let timers: NodeJS.Timeout[] = [];
  const noteFailure = (error: unknown) =>
    limitedLog("warn", "node-watch", { err: error }, "what nodes send could not be kept for whoever checks them");

  const poll = async () => {
    const serials = await store.takeWatches();
    watched = new Map(serials.map((serial) => [serial, watched.get(serial) ?? { events: 0, bytes: 0 }]));
  };
  const flush = async () => {
    const events = waiting;
    waiting = [];
    if (events.length > 0) await store.write(events).catch(noteFailure);
  };

  const note: NodeWatch["note"] = (text, event) => {
    const serial = Number(text);
    const kept = watched.get(serial);
    if (kept === undefined || kept.events > mostEvents) return;
    kept.events++;
    kept.bytes += event.payload?.length ?? 0;
    if (kept.bytes > mostBytes) kept.events = mostEvents + 1;
    const isLast = kept.events > mostEvents;
    const payload = event.payload === null || isLast ? null : Uint8Array.from(event.payload);
    waiting.push({
      ...event,
      ...(isLast ? { kind: "dropped" } : {}),
      topic: cleanText(event.topic, 256),
      payload,
      serial,
      atMs: clock.now(),
    });
  };

  return {
    note,
    tap:
      (submit) =>
      (...message) => {
        if (watched.size > 0) {
          const [topic, payload, isAcknowledged] = message;
          const serial = topic.split("/", 4)[3];
          if (serial !== undefined) note(serial, { kind: "message", topic, qos: isAcknowledged ? 1 : 0, detail: "", payload });
        }
        submit(...message);
      },
    start() {
      timers = [
        setInterval(() => void poll().catch(noteFailure), pollMs),
        setInterval(() => void (writing ??= flush().finally(() => (writing = undefined))), flushMs),
      ];
      for (const timer of timers) timer.unref();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await writing;
    },
  };
}
