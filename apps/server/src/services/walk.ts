import type { Pool } from "pg";
import { blamesItem } from "#db/database-failure.ts";
import type { Clock } from "#lib/clock.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { TaskResult } from "./service.ts";
import { createSetAsideStore } from "./set-aside.store.ts";
import type { SetAside } from "./set-aside.store.ts";

const firstWaitSeconds = 60;
const longestWaitSeconds = 3_600;
/** More than so many in one run are no exception: what all of them need is sick. */
const mostInOneRun = 200;
const longestReason = 300;
const listedItems = 3;
const daySeconds = 86_400;

export interface WalkOptions {
  pool: Pool;
  clock: Clock;
  service: string;
  signal: AbortSignal;
}

export interface Round<Item> {
  items: readonly Item[];
  /** Such as `node`. */
  kind: string;
  idOf: (item: Item) => string | number;
  /** All of them or none: it is called again with fewer when it fails. Returns how many things it processed. */
  work: (items: readonly Item[]) => Promise<number>;
  batchSize?: number;
  /** Such an item goes with the one before it. */
  goesWithPrevious?: (item: Item) => boolean;
}

export interface Queue<Item> extends Omit<Round<Item>, "items" | "batchSize"> {
  /** The next items, at most `batchSize`, without those of these ids. */
  find: (except: readonly string[]) => Promise<readonly Item[]>;
  batchSize: number;
}

export type Walk = Awaited<ReturnType<typeof startWalk>>;

/**
 * One run of a service over many items. A batch that fails is halved until the item at fault is alone: it is set aside with its reason, the
 * others are done. It is tried again after a minute, then after twice as long each time, after an hour at most.
 */
export async function startWalk({ pool, clock, service, signal }: WalkOptions) {
  const store = createSetAsideStore(pool, service);
  const keyOf = (kind: string, item: string) => `${kind} ${item}`;
  const known = new Map((await store.list()).map((one) => [keyOf(one.kind, one.item), one]));
  const failedNow: SetAside[] = [];
  let failure: unknown;
  let hasDone = false;
  const nowSeconds = () => clock.now() / 1000;
  const isWaiting = (key: string) => (known.get(key)?.nextTryAt ?? 0) > nowSeconds();

  async function putAside(kind: string, item: string, error: unknown): Promise<void> {
    const key = keyOf(kind, item);
    const tries = (known.get(key)?.tries ?? 0) + 1;
    const reason = visibleText(error instanceof Error ? error.message : String(error), longestReason);
    const nextTryAt = nowSeconds() + Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1));
    const entry = { kind, item, reason, tries, nextTryAt };
    await store.put(entry, nowSeconds());
    known.set(key, entry);
    failedNow.push(entry);
    failure = error;
    if (failedNow.length > mostInOneRun) throw error;
  }

  async function takeBack(kind: string, item: string): Promise<void> {
    if (!known.delete(keyOf(kind, item))) return;
    await store.remove(kind, item);
  }

  async function over<Item>(round: Round<Item>): Promise<number> {
    const { items, kind, idOf, work, batchSize = items.length, goesWithPrevious = () => false } = round;
    const attempt = async (group: readonly Item[]): Promise<number> => {
      if (signal.aborted) return 0;
      try {
        const count = await work(group);
        hasDone = true;
        for (const item of group) await takeBack(kind, String(idOf(item)));
        return count;
      } catch (error) {
        if (signal.aborted || !blamesItem(error)) throw error;
        const [first] = group;
        if (first === undefined) throw error;
        if (group.length > 1) {
          const half = splitAt(group, goesWithPrevious);
          if (half > 0) return (await attempt(group.slice(0, half))) + (await attempt(group.slice(half)));
        }
        for (const item of group) await putAside(kind, String(idOf(item)), error);
        return 0;
      }
    };
    const keyOfItem = (item: Item) => keyOf(kind, String(idOf(item)));
    const groups = [...batchesOf(items, 1, goesWithPrevious)];
    // Before anything is tried: what fails now is not tried twice.
    const [failedBefore, free] = [true, false].map((is) =>
      groups.filter((group) => group.some((item) => known.has(keyOfItem(item))) === is),
    );
    let count = 0;
    for (const batch of batchesOf(free?.flat() ?? [], Math.max(1, batchSize), goesWithPrevious)) count += await attempt(batch);
    // What failed before is tried alone.
    for (const group of failedBefore ?? []) if (!group.some((item) => isWaiting(keyOfItem(item)))) count += await attempt(group);
    return count;
  }

  /** Reads a queue past what is set aside, until it is empty. */
  async function throughQueue<Item>({ find, ...round }: Queue<Item>): Promise<number> {
    let total = 0;
    for (let isMore = true; isMore && !signal.aborted;) {
      const items = await find(waiting(round.kind));
      const failedBefore = failedNow.length;
      const count = await over({ ...round, items });
      total += count;
      // What somebody else has in hand is found again; so is what the failed statement of its batch still held when it was tried alone.
      isMore = failedNow.length > failedBefore || (items.length === round.batchSize && count > 0);
    }
    return total;
  }

  const waiting = (kind: string): string[] =>
    [...known.values()].filter((one) => one.kind === kind && isWaiting(keyOf(kind, one.item))).map(({ item }) => item);

  return {
    over,
    throughQueue,

    /** Ids of what was set aside by earlier runs and is to be tried again, for what does not come up by itself. */
    due: (kind: string): string[] => {
      const now = new Set(failedNow);
      return [...known.values()]
        .filter((one) => one.kind === kind && !now.has(one) && !isWaiting(keyOf(kind, one.item)))
        .map(({ item }) => item);
    },
    putAside,

    /** Ids that are left alone for now, so that a queue can be read past them. */
    waiting,

    /** What the run did, and what it left aside. */
    async end(processedCount: number, logEntry = ""): Promise<number | TaskResult> {
      await store.forgetDueBefore(nowSeconds() - daySeconds);
      const list = [...known.values()];
      // Several in a row and nothing done: it is not their fault.
      if (!hasDone && failedNow.length > 1) throw failure;
      if (list.length === 0) return logEntry === "" ? processedCount : { processedCount, logEntry };
      const times = list.map(({ nextTryAt }) => nextTryAt).filter((at) => at > nowSeconds());
      return {
        processedCount,
        logEntry: [logEntry, wordsOf(list)].filter(Boolean).join(". "),
        setAside: failedNow,
        ...(times.length > 0 ? { tryAgainAt: Math.min(...times) } : {}),
      };
    },
  };
}

function wordsOf(list: readonly SetAside[]): string {
  if (list.length === 0) return "";
  const words = list
    .slice(0, listedItems)
    .map(({ kind, item, reason, nextTryAt }) => `${kind} ${item} (${reason}; next try ${timeOf(nextTryAt)})`);
  const more = list.length > listedItems ? ` and ${list.length - listedItems} more` : "";
  return `${list.length} set aside: ${words.join(", ")}${more}`;
}

const timeOf = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Where to halve, so that what goes together stays together; 0 when it cannot be. */
function splitAt<Item>(group: readonly Item[], goesWithPrevious: (item: Item) => boolean): number {
  const middle = Math.ceil(group.length / 2);
  for (let at = middle; at < group.length; at++) if (!goesWithPrevious(group[at]!)) return at;
  for (let at = middle - 1; at > 0; at--) if (!goesWithPrevious(group[at]!)) return at;
  return 0;
}

/** An item that goes with the one before it stays in its batch. */
export function* batchesOf<T>(
  list: readonly T[],
  size: number,
  goesWithPrevious: (item: T) => boolean = () => false,
): Generator<readonly T[]> {
  for (let start = 0, end = 0; start < list.length; start = end) {
    end = Math.min(list.length, start + size);
    while (end < list.length && goesWithPrevious(list[end]!)) end++;
    yield list.slice(start, end);
  }
}
