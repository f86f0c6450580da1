import { isDatabaseAway as isFromAbsence } from "#http/errors.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { unavailable } from "#lib/errors.ts";
import type { SessionRow, SessionStore } from "./session.store.ts";

const trustMs = 1_000;
const staleTrustMs = 15 * 60_000;

/** Session rows by id, trusted for a second; calls of the same moment share one query. */
export function createSessionLookup(store: SessionStore, clock: Clock, isDatabaseAway: () => boolean) {
  const seen = createBoundedMap<string, { row: SessionRow | undefined; at: number }>(20_000);
  let waiting = new Map<string, { resolve: (row: SessionRow | undefined) => void; reject: (error: Error) => void }[]>();

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
    const at = clock.monotonic();
    try {
      const rows = await store.findSessions([...batch.keys()]);
      for (const [id, callers] of batch) {
        const row = rows.get(id);
        seen.set(id, { row, at });
        for (const { resolve } of callers) resolve(row);
      }
    } catch (error) {
      for (const callers of batch.values()) for (const { reject } of callers) reject(error as Error);
    }
  }

  return {
    /**
     * @param mayBeStale while the database is away, a row of the last 15 minutes will do
     * @throws AppError 503 when the row cannot be known
     */
    async find(id: string, mayBeStale: boolean): Promise<SessionRow | undefined> {
      const known = seen.get(id);
      const age = known ? clock.monotonic() - known.at : Infinity;
      if (!isDatabaseAway()) {
        if (known && age < trustMs) return known.row;
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
      for (const id of ids) seen.delete(id);
    },
  };
}
export type SessionLookup = ReturnType<typeof createSessionLookup>;

export const databaseUnavailable = () => unavailable("The database cannot be reached at the moment. Please try again");
