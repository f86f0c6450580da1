import type { Logger } from "pino";

export interface LogEntry {
  kind: "error" | "warning";
  /** Epoch seconds. */
  at: number;
  message: string;
}

/** Warnings and errors of the log that wait to be shown to people. */
export interface LogFeed {
  /** One line as the log writes it. */
  write(line: string): void;
  /** What came since the last time, and how many of each kind there was no room for. */
  take(): { entries: LogEntry[]; dropped: Record<LogEntry["kind"], number> };
}

const warnLevel = 40;
const errorLevel = 50;
const mostWaiting = 1_000;

export function createLogFeed(): LogFeed {
  let entries: LogEntry[] = [];
  let dropped = { error: 0, warning: 0 };
  return {
    write(line) {
      const entry = readEntry(line);
      if (!entry) return;
      if (entries.length < mostWaiting) entries.push(entry);
      else dropped[entry.kind]++;
    },
    take() {
      const taken = { entries, dropped };
      entries = [];
      dropped = { error: 0, warning: 0 };
      return taken;
    },
  };
}

function readEntry(line: string): LogEntry | undefined {
  const record = JSON.parse(line) as { level: number; time: number; msg?: string; err?: { message?: string }; service?: string };
  if (record.level < warnLevel) return undefined;
  const parts = [record.msg, record.service, record.err?.message].filter((part) => part !== undefined && part !== "");
  return { kind: record.level >= errorLevel ? "error" : "warning", at: record.time / 1000, message: parts.join(": ") };
}

const feeds = new WeakMap<Logger, LogFeed>();

/** Ties a feed to its log, so that whoever has the log finds it. */
export function tieFeed(log: Logger, feed: LogFeed): void {
  feeds.set(log, feed);
}
export const feedOf = (log: Logger): LogFeed | undefined => feeds.get(log);
