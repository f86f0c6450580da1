import { continueCourse, lastingLossSeconds, quietSeconds } from "@busbar/alarms/incidents/incident-course.ts";
import { occurrencesOf, type Cause, type Occurrence } from "@busbar/alarms/incidents/occurrences.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { findCourses, writeCourses } from "./incident-courses.store.ts";
import type { IncidentFollowedStore } from "./incident-followed.store.ts";

const name = "Incidents";
const batchSize = 500;
/** Someone else may have followed meanwhile: it is begun anew. */
const longestBreakSeconds = 60;
/** At the begin, alarms that were over before then are known. */
const lookBackSeconds = 86_400;

interface Followed {
  sinceXid: number;
  timeline: string | null;
  /** What each node has by its verdict, by cause. */
  known: Map<number, Map<string, Occurrence>>;
  /** Losses that may pass. */
  pending: Map<string, Occurrence>;
  /** What is not written down yet, by cause. */
  waiting: Map<string, { cause: Cause; occurrences: Occurrence[] }>;
}

/** Puts what happens into incidents: what belongs together is one, open until it was quiet for a while (decision 0036). */
export function createIncidents({ pool, store, clock }: { pool: Pool; store: IncidentFollowedStore; clock: Clock }): Task {
  let followed: Followed | undefined;
  let ranAt = -Infinity;

  async function begin(timeline: string | null, now: number): Promise<Followed> {
    const fresh: Followed = { sinceXid: 0, timeline, known: new Map(), pending: new Map(), waiting: new Map() };
    for (const { isOver, ...occurrence } of await store.open()) {
      if (isOver) note(fresh, { ...occurrence, endedAt: now });
      else if (occurrence.cause.kind !== "alarm") knownOf(fresh, occurrence.serial).set(occurrence.cause.key, occurrence);
    }
    return fresh;
  }

  async function follow(state: Followed, now: number): Promise<void> {
    const { known, pending, sinceXid } = state;
    for (const node of await store.verdicts(sinceXid)) {
      const occurrences = occurrencesOf(node, now);
      if (!occurrences) continue;
      const before = knownOf(state, node.serial);
      const after = new Map(occurrences.map((occurrence) => [occurrence.cause.key, occurrence]));
      for (const [key, occurrence] of before) {
        if (after.has(key)) continue;
        pending.delete(key);
        note(state, { ...occurrence, endedAt: now });
      }
      for (const [key, occurrence] of after) {
        if (before.get(key)?.beganAt === occurrence.beganAt && !pending.has(key)) continue;
        if (occurrence.cause.kind === "link" && occurrence.isContinued !== true) pending.set(key, occurrence);
        note(state, occurrence);
      }
      if (after.size > 0) known.set(node.serial, after);
      else known.delete(node.serial);
    }
    for (const [key, occurrence] of pending) {
      if (now < occurrence.beganAt + lastingLossSeconds) continue;
      pending.delete(key);
      note(state, occurrence);
    }
    for (const occurrence of await store.alarms(sinceXid, sinceXid === 0 ? now - lookBackSeconds : 0)) note(state, occurrence);
    for (const cause of await store.quiet(now - quietSeconds)) waitingOf(state, cause);
  }

  return {
    name,
    intervalSeconds: 10,
    did: (count) => `Changed ${counted(count, "incident")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const { xid, timeline } = await store.watermark();
      if (!followed || Math.abs(now - ranAt) > longestBreakSeconds || followed.timeline !== timeline) followed = await begin(timeline, now);
      const state = followed;
      // What was half followed is followed anew.
      followed = undefined;
      await follow(state, now);
      state.sinceXid = xid;
      followed = state;
      ranAt = now;
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: [...state.waiting.values()],
        kind: "incident",
        idOf: ({ cause }) => cause.key,
        batchSize,
        async work(items) {
          const changedCount = await inTransaction(pool, async (client) => {
            const last = await findCourses(
              client,
              items.map(({ cause }) => cause.key),
            );
            const changed = items.flatMap(({ cause, occurrences }) =>
              continueCourse(last.get(cause.key), occurrences, now).map((course) => ({ cause, course })),
            );
            await writeCourses(client, changed);
            return changed.length;
          });
          for (const { cause } of items) state.waiting.delete(cause.key);
          return changedCount;
        },
      });
      return walk.end(count);
    },
  };
}

function knownOf({ known }: Followed, serial: number): Map<string, Occurrence> {
  const occurrences = known.get(serial) ?? new Map<string, Occurrence>();
  known.set(serial, occurrences);
  return occurrences;
}

function waitingOf({ waiting }: Followed, cause: Cause): Occurrence[] {
  const entry = waiting.get(cause.key) ?? { cause, occurrences: [] };
  waiting.set(cause.key, entry);
  return entry.occurrences;
}

const note = (state: Followed, occurrence: Occurrence): void => void waitingOf(state, occurrence.cause).push(occurrence);
