import { isDatabaseAway as isFromAbsence } from "#http/errors.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { unavailable } from "#lib/errors.ts";
import type { SessionRow, SessionStore } from "./session.store.ts";

const trustMs = 1_000;
/** As long as someone calls, changes are looked for so often: well within the time of trust. */
const checkAfterMs = 400;
/** Without a known change a row is read again after so long: when it was last used may have been elsewhere. */
const keptMs = 30_000;
const keptRows = 20_000;
const staleTrustMs = 15 * 60_000;

interface Seen {
  row: SessionRow | undefined;
  at: number;
}

/** Changes are known of what was read later than `since`, as far as `until`. */
interface Known {
  timeline: string;
  xid: string;
  since: number;
  until: number;
}

/**
 * Session rows by id, trusted for a second after they were read, and for a second after no change of their user was found; calls of the same
 * moment share one query.
 */
export function createSessionLookup(
  store: Pick<SessionStore, "findSessions" | "findChanges">,
  clock: Clock,
  isDatabaseAway: () => boolean,
) {
  const seen = createBoundedMap<string, Seen>(keptRows);
  /** For each reading under way: the sessions and users that were forgotten meanwhile, so that what it finds is out of date. */
  const readings = new Set<Set<string | number>>();
  let waiting = new Map<string, { resolve: (row: SessionRow | undefined) => void; reject: (error: Error) => void }[]>();
  let known: Known | undefined;
  let checkedAt = -Infinity;
  let isChecking = false;

  async function read(ids: string[]): Promise<Map<string, SessionRow>> {
    const at = clock.monotonic();
    const forgotten = new Set<string | number>();
    readings.add(forgotten);
    try {
      const rows = await store.findSessions(ids);
      for (const id of ids) {
        const row = rows.get(id);
        if (!forgotten.has(id) && !(row && forgotten.has(row.userId))) seen.set(id, { row, at });
      }
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

  /** Forgets the rows of users that have changed; whoever asks meanwhile gets what is still trusted. */
  async function check(): Promise<void> {
    isChecking = true;
    checkedAt = clock.monotonic();
    const until = checkedAt;
    // When it fails, trust ends, and the calls find out by their own queries.
    const changes = await store.findChanges(known?.xid).catch(() => undefined);
    isChecking = false;
    if (!changes) return;
    const { xid, timeline, userIds } = changes;
    forgetUsers(new Set(userIds));
    if (timeline === null) known = undefined;
    else known = { timeline, xid, since: known?.timeline === timeline ? known.since : clock.monotonic(), until };
  }

  function forgetUsers(ids: ReadonlySet<number>): void {
    if (ids.size === 0) return;
    for (const [id, { row }] of seen.entries()) if (row && ids.has(row.userId)) seen.delete(id);
    for (const forgotten of readings) for (const id of ids) forgotten.add(id);
  }

  function isTrusted({ row, at }: Seen, now: number): boolean {
    if (now - at < trustMs) return true;
    return row !== undefined && known !== undefined && at > known.since && now - known.until < trustMs && now - at < keptMs;
  }

  return {
    /**
     * @param mayBeStale while the database is away, a row of the last 15 minutes will do
     * @throws AppError 503 when the row cannot be known
     */
    async find(id: string, mayBeStale: boolean): Promise<SessionRow | undefined> {
      const now = clock.monotonic();
      const found = seen.get(id);
      if (!isDatabaseAway()) {
        if (!isChecking && now - checkedAt >= checkAfterMs) void check();
        if (found && isTrusted(found, now)) return found.row;
        try {
          return await query(id);
        } catch (error) {
          if (!isFromAbsence(error as Error)) throw error;
        }
      }
      if (mayBeStale && found?.row && now - found.at < staleTrustMs) return found.row;
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
