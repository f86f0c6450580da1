import type { MessageSubject } from "@busbar/contract/system/system-messages.ts";
import type { Logger } from "pino";

export interface LogEntry {
  kind: "error" | "warning";
  /** Epoch seconds. */
  at: number;
  /** Names what it is about, with its figures. */
  message: string;
  subject: { kind: MessageSubject; id: string } | undefined;
  /** What equal lines have in common: not their figures. */
  same: string;
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

/** Fields that name what a line is about, the most specific first. */
export const subjectFields: readonly (readonly [field: string, kind: MessageSubject])[] = [
  ["serial", "node"],
  ["node", "node"],
  ["file", "file"],
  ["content", "content"],
  ["recipient", "recipient"],
  ["notification", "notification"],
  ["download", "download"],
  ["organization", "organization"],
  ["facility", "facility"],
  ["user", "user"],
  ["setting", "setting"],
  ["service", "service"],
];
/** What the log writes of each line, and what is no figure. */
const ownFields = new Set(["level", "time", "pid", "hostname", "msg", "err", "reqId", "name"]);

function readEntry(line: string): LogEntry | undefined {
  const record = JSON.parse(line) as Record<string, unknown> & { level: number; time: number; msg?: string; err?: { message?: string } };
  if (record.level < warnLevel) return undefined;
  const [field, kind] = subjectFields.find(([name]) => isPrintable(record[name])) ?? [];
  const subject = field !== undefined && kind !== undefined ? { kind, id: String(record[field]) } : undefined;
  const said = [record.msg, kind === "service" ? undefined : record["service"], record.err?.message].filter(isPrintable);
  const named = [...(subject && subject.id !== "0" ? [`${subject.kind} ${subject.id}`] : []), ...said].join(": ");
  const facts = Object.entries(record).flatMap(([name, value]) =>
    name !== field && name !== "service" && !ownFields.has(name) && isPrintable(value) ? [factOf(name, value)] : [],
  );
  const message = facts.length === 0 ? named : `${named} (${facts.join(", ")})`;
  const reason = typeof record["reason"] === "string" ? record["reason"] : "";
  return {
    kind: record.level >= errorLevel ? "error" : "warning",
    at: record.time / 1000,
    message,
    subject: subject?.id === "0" ? undefined : subject,
    same: [named, reason].join(" "),
  };
}

/** What the log has taken out says nothing. */
const isPrintable = (value: unknown): value is string | number | boolean =>
  (typeof value === "string" && value !== "" && value !== "[redacted]") || typeof value === "number" || typeof value === "boolean";

/** Names as they are in the program, in words: `freePercent` is free percent; times and spans in units of people. */
function factOf(name: string, value: string | number | boolean): string {
  if (name === "suppressed") return `${value} more like it ${value === 1 ? "was" : "were"} not written`;
  const words = name.replace(/(Ms|Seconds|At)$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (typeof value === "number" && name.endsWith("At"))
    return `${words} ${new Date(value * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  if (typeof value === "number" && name.endsWith("Ms")) return `${words} ${(value / 1000).toFixed(1)} s`;
  if (name === "seconds" && typeof value === "number") return `for ${Math.round(value)} s`;
  if (typeof value === "number" && name.endsWith("Seconds")) return `${words} ${Math.round(value)} s`;
  return `${words} ${value}`;
}

const feeds = new WeakMap<Logger, LogFeed>();

/** Ties a feed to its log, so that whoever has the log finds it. */
export function tieFeed(log: Logger, feed: LogFeed): void {
  feeds.set(log, feed);
}
export const feedOf = (log: Logger): LogFeed | undefined => feeds.get(log);
