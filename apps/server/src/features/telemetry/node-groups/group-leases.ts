import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { hostGroup, leaseMs, type GroupHold, type GroupState, type NodeGroupsStore } from "./node-groups.store.ts";

export interface GroupLeasesOptions {
  store: Pick<NodeGroupsStore, "renew" | "take" | "release" | "leave">;
  /** Unique for each process. */
  worker: string;
  host: string;
  clock: Clock;
  log: Log;
  /** Whether this process reaches the broker. */
  canListen: () => boolean;
  isListening: (hold: GroupHold) => boolean;
  /** Begins to listen. */
  begin: (hold: GroupHold) => void;
  /** Ends listening in order: what has come in is stored and acknowledged. */
  handOver: (hold: GroupHold, isLastWorker: boolean) => Promise<void>;
  /** Ends listening at once: nothing is acknowledged any more. */
  drop: (hold: GroupHold) => void;
  noteAllListening: (areAll: boolean) => void;
  beatMs?: number;
}

export interface GroupLeases {
  start(): void;
  /** Does not wait for its next turn: the broker can be reached now. */
  wake(): void;
  /** Hands everything over. */
  stop(): Promise<void>;
  holdOf: (name: string) => GroupHold | undefined;
  holds: () => Iterable<GroupHold>;
  /** A transaction failed because these are others' now. */
  noteLost: (names: readonly string[]) => void;
  /** Why nothing is listened to. */
  problem(): string | undefined;
}

const defaultBeatMs = 1_000;
/** So long before a lease ends its groups are let go: others may take them when it has ended. */
const marginMs = 1_500;

/**
 * Shares the groups of nodes out among all workers: each says every second that it lives, and takes what no one holds up to its fair
 * share or hands over what it has beyond it. Who cannot renew lets everything go before anyone else may take it.
 */
export function createGroupLeases(options: GroupLeasesOptions): GroupLeases {
  const {
    store,
    worker,
    host,
    clock,
    log,
    canListen,
    isListening,
    begin,
    handOver,
    drop,
    noteAllListening,
    beatMs = defaultBeatMs,
  } = options;
  const limitedLog = createLimitedLog(log, clock);
  const held = new Map<string, GroupHold>();
  const stopping = new AbortController();
  let validUntil = -Infinity;
  let hasBeaten = false;
  let guard: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wake = () => {};
  let isGiving = false;
  let giving: Promise<unknown> = Promise.resolve();

  const nodeHolds = () => [...held.values()].filter(({ name }) => name !== hostGroup);

  const lose = (hold: GroupHold, why: string) => {
    if (hold.isLost) return;
    hold.isLost = true;
    held.delete(hold.name);
    drop(hold);
    limitedLog("warn", "group-lost", { group: hold.name, reason: why }, "a group of nodes is no longer listened to here");
  };

  const letGoUnlessValid = () => {
    if (clock.monotonic() < validUntil) return guardLease();
    for (const hold of held.values()) lose(hold, "the database cannot be reached");
  };
  const guardLease = () => {
    clearTimeout(guard);
    guard = setTimeout(letGoUnlessValid, Math.max(1, validUntil - clock.monotonic()));
    guard.unref();
  };

  const give = async (holds: readonly GroupHold[], isLastWorker: boolean): Promise<void> => {
    await Promise.all(
      holds.map(async (hold) => {
        await handOver(hold, isLastWorker);
        hold.isLost = true;
        held.delete(hold.name);
      }),
    );
    await store.release(
      worker,
      holds.map(({ name }) => name),
    );
  };

  const share = async ({ fairShare }: GroupState): Promise<void> => {
    if (fairShare === undefined || isGiving) return;
    const own = nodeHolds();
    if (own.length > fairShare) {
      const surplus = own.slice(fairShare);
      log.info({ groups: surplus.length, left: fairShare }, "hands groups of nodes over to other workers");
      // Meanwhile the others are renewed.
      isGiving = true;
      giving = give(fairShare === 0 ? [...held.values()] : surplus, false)
        .catch((error: unknown) => limitedLog("warn", "hand-over", { err: error }, "groups of nodes could not be given back"))
        .finally(() => (isGiving = false));
    } else if (canListen()) {
      const taken = await store.take(worker, fairShare - own.length);
      for (const hold of taken) held.set(hold.name, hold);
      // Taking may have lasted longer than the lease.
      letGoUnlessValid();
      for (const hold of taken) if (!hold.isLost) begin(hold);
      if (taken.length > 0) log.info({ groups: taken.length, held: nodeHolds().length }, "listens to groups of nodes");
    }
  };

  const beat = async () => {
    const askedAt = clock.monotonic();
    const before = [...held.values()];
    const state = await store.renew({
      id: worker,
      host,
      canListen: canListen(),
      held: before.map(({ name }) => name),
      listening: before.filter(isListening).map(({ name }) => name),
    });
    hasBeaten = true;
    for (const hold of before) if (!state.kept.has(hold.name)) lose(hold, "another worker has taken it over");
    validUntil = askedAt + leaseMs - marginMs;
    guardLease();
    noteAllListening(state.areAllListening);
    if (!stopping.signal.aborted) await share(state);
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      const beganAt = clock.monotonic();
      await beat().catch((error: unknown) =>
        limitedLog("warn", "beat", { err: error }, "ingest could not renew its hold on groups of nodes"),
      );
      const restMs = Math.max(100, beatMs - (clock.monotonic() - beganAt));
      const woken = new AbortController();
      wake = () => woken.abort();
      await wait(restMs, undefined, { signal: AbortSignal.any([stopping.signal, woken.signal]) }).catch(() => undefined);
    }
  };

  return {
    start() {
      running = run();
    },
    wake: () => wake(),
    async stop() {
      stopping.abort();
      await running;
      await giving;
      try {
        await give([...held.values()], await store.leave(worker));
      } catch (error) {
        log.warn({ err: error }, "groups of nodes could not be handed over; others take them in a few seconds");
        for (const hold of held.values()) lose(hold, "ingest stops");
      } finally {
        clearTimeout(guard);
      }
    },
    holdOf: (name) => held.get(name),
    holds: () => held.values(),
    noteLost(names) {
      for (const name of names) {
        const hold = held.get(name);
        if (hold) lose(hold, "another worker has taken it over");
      }
    },
    problem: () => {
      if (!hasBeaten) return "the groups of nodes have not been shared out yet";
      return clock.monotonic() < validUntil ? undefined : "the database cannot be reached: nothing is listened to";
    },
  };
}
