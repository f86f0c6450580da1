import type { LogFeed } from "#lib/log-feed.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { SystemMessagesStore } from "./system-messages.store.ts";

const collectEveryMs = 1_000;
const longestMessage = 2_000;
const longestSubject = 200;

/** Brings warnings and errors of this process's log to the system pages. While the database is away they wait, as many as fit. */
export function createLogCollector(feed: LogFeed, store: SystemMessagesStore) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let turn: Promise<void> = Promise.resolve();
  let kept: ReturnType<LogFeed["take"]> | undefined;

  async function collect(): Promise<void> {
    const { entries, dropped } = kept ?? feed.take();
    for (const kind of ["error", "warning"] as const) {
      const messages = entries.filter((entry) => entry.kind === kind);
      if (messages.length === 0 && dropped[kind] === 0) continue;
      kept = { entries, dropped };
      await store.addAlone(
        kind,
        messages.map(({ at, message, subject, same }) => ({
          at,
          source: "log",
          message: visibleText(message, longestMessage),
          subject: subject && { kind: subject.kind, id: visibleText(subject.id, longestSubject) },
          same: visibleText(same, longestMessage),
        })),
        dropped[kind],
      );
      dropped[kind] = 0;
      entries.splice(0, entries.length, ...entries.filter((entry) => entry.kind !== kind));
    }
    kept = undefined;
  }

  // A failure must not be logged: it would be the next message. It is tried again.
  const tick = () => (turn = turn.then(() => collect().catch(() => undefined)));

  return {
    tick,
    start(): void {
      timer ??= setInterval(() => void tick(), collectEveryMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await tick();
    },
  };
}
