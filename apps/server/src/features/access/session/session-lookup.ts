import { isDatabaseAway as isFromAbsence } from "#http/errors.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { unavailable } from "#lib/errors.ts";
import type { SessionRow, SessionStore } from "./session.store.ts";

const trustMs = 1_000;
/** Rows of pages that poll are read again together before their trust ends: their calls need not wait for the database. */
const renewAfterMs = 600;
const usedLatelyMs = 5_000;
const keptRows = 20_000;
const staleTrustMs = 15 * 60_000;

/** Session rows by id, trusted for a second; calls of the same moment share one query. */
export function createSessionLookup(store: Pick<SessionStore, "findSessions">, clock: Clock, isDatabaseAway: () => boolean) {
  const seen = createBoundedMap<string, { row: SessionRow | undefined; at: number }>(keptRows);
  /** When each was used last. */
  const usedLately = new Map<string, number>();
  /** For each reading under way: what was forgotten meanwhile, so that what it finds is out of date. */
  const readings = new Set<Set<string>>();
  let waiting = new Map<string, { resolve: (row: SessionRow | undefined) => void; reject: (error: Error) => void }[]>();
  let isRenewing = false;

  async function read(ids: string[]): Promise<Map<string, SessionRow>> {
    const at = clock.monotonic();
    const forgotten = new Set<string>();
    readings.add(forgotten);
    try {
      const rows = await store.findSessions(ids);
      for (const id of ids) if (!forgotten.has(id)) seen.set(id, { row: rows.get(id), at });
      return rows;
    } finally {
      readings.delete(forgotten);
    }
  }

  function query(id: string): Promise<SessionRow | undefined> {
    return new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(() => void flush());
      const callers = waiting.get(id);
      if (callers) callers.push({ resolve, reject });
      else waiting.set(id, [{ resolve, reject }]);
    });
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    try {
      const rows = await read([...batch.keys()]);
      for (const [id, callers] of batch) for (const { resolve } of callers) resolve(rows.get(id));
    } catch (error) {
      for (const callers of batch.values()) for (const { reject } of callers) reject(error as Error);
    }
  }

  /** Reads all that were used lately; whoever asks meanwhile gets what is still trusted. */
  async function renew(now: number): Promise<void> {
    isRenewing = true;
    for (const [id, usedAt] of usedLately) if (now - usedAt > usedLatelyMs) usedLately.delete(id);
    // When it fails, the calls find out by their own queries.
    await read([...usedLately.keys()]).catch(() => undefined);
    isRenewing = false;
  }

  return {
    /**
     * @param mayBeStale while the database is away, a row of the last 15 minutes will do
     * @throws AppError 503 when the row cannot be known
     */
    async find(id: string, mayBeStale: boolean): Promise<SessionRow | undefined> {
      const now = clock.monotonic();
      const known = seen.get(id);
      const age = known ? now - known.at : Infinity;
      if (!isDatabaseAway()) {
        if (known?.row && usedLately.size < keptRows) usedLately.set(id, now);
        if (known && age < trustMs) {
          if (age > renewAfterMs && !isRenewing) void renew(now);
          return known.row;
        }
        try {
          return await query(id);
        } catch (error) {
          if (!isFromAbsence(error as Error)) throw error;
        }
      }
      if (mayBeStale && known?.row && age < staleTrustMs) return known.row;
      throw databaseUnavailable();
    },
    /** The next call reads the row again. */
    forget(ids: readonly string[]): void {
      for (const id of ids) {
        seen.delete(id);
        for (const forgotten of readings) forgotten.add(id);
      }
    },
  };
}
export type SessionLookup = ReturnType<typeof createSessionLookup>;

export const databaseUnavailable = () => unavailable("The database cannot be reached at the moment. Please try again");
