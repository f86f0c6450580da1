import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export type LimitedLog = (level: "info" | "warn" | "error", kind: string, details: object, message: string) => void;

/** Writes at most one line per kind and interval; the next line says how many were left out. `kind` comes from a small fixed set. */
export function createLimitedLog(log: Log, clock: Clock, intervalMs = 10_000): LimitedLog {
  const kinds = new Map<string, { writtenAt: number; suppressed: number }>();
  return (level, kind, details, message) => {
    const now = clock.monotonic();
    const last = kinds.get(kind);
    if (last && now - last.writtenAt < intervalMs) {
      last.suppressed++;
      return;
    }
    log[level](last?.suppressed ? { ...details, suppressed: last.suppressed } : details, message);
    kinds.set(kind, { writtenAt: now, suppressed: 0 });
  };
}
