import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { blamesItem, isDiskFailure } from "#db/database-failure.ts";
import type { Clock } from "#lib/clock.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { TaskResult } from "./service.ts";
import { createSetAsideStore, type SetAside } from "./set-aside.store.ts";

/** More than so many in one run are no exception: what all of them need is sick. */
const mostInOneRun = 200;
const longestReason = 300;
const listedItems = 3;
const daySeconds = 86_400;
/** What a sick disk or another's absence holds up is tried again as soon as it may be over. */
const platformWaitSeconds = 60;
const dueAtOnce = 50;
/** A process that dies leaves what it had taken for so long. */
const leaseSeconds = 300;

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
  /** All of them or none: it is called again with fewer when it fails. Returns how many items it processed. */
  work: (items: readonly Item[]) => Promise<number>;
  batchSize?: BatchSize;
  /** Such an item goes with the one before it. */
  goesWithPrevious?: (item: Item) => boolean;
}

export interface Queue<Item> extends Omit<Round<Item>, "items" | "goesWithPrevious"> {
  /** The next items that were never set aside, or those of these ids that still wait: see `isNext`. At most `findSize` of them. */
  find: (ids: readonly string[] | null) => Promise<readonly Item[]>;
  findSize: number;
  /** True when going on would not help now. */
  isOver?: () => boolean;
}

/** Thrown by the work on an item that waits for someone else: it has not failed. */
export class NotYet extends Error {
  readonly nextTryAt: number;
  /** @param nextTryAt epoch seconds */
  constructor(reason: string, nextTryAt: number) {
    super(reason);
    this.nextTryAt = nextTryAt;
  }
}

export type Walk = ReturnType<typeof startWalk>;

/**
 * One run of a service over many items. A batch that fails is halved until the item at fault is alone: it is set aside with its reason, the
 * others are done. It is tried again after a minute, then after twice as long each time, after an hour at most.
 */
export function startWalk({ pool, clock, service, signal }: WalkOptions) {
  const store = createSetAsideStore(pool, service);
  const lists = new Map<string, Map<string, SetAside>>();
  const failedNow: SetAside[] = [];
  let asideCount = 0;
  let failure: unknown;
  let hasDone = false;
  const nowSeconds = () => clock.now() / 1000;

  /** What is set aside of a kind. */
  async function listOf(kind: string): Promise<Map<string, SetAside>> {
    const list = lists.get(kind) ?? new Map((await store.list(kind)).map((one) => [one.item, one]));
    lists.set(kind, list);
    return list;
  }
  const idsOf = async (kind: string, which: (one: SetAside) => boolean) =>
    [...(await listOf(kind)).values()].filter(which).map(({ item }) => item);

  async function putAside(kind: string, item: string, error: unknown): Promise<void> {
    const reason = visibleText(error instanceof Error ? error.message : String(error), longestReason);
    const isWaiting = error instanceof NotYet;
    const fault = isWaiting ? "none" : isDiskFailure(error) ? "platform" : "item";
    const nextTryAt = isWaiting ? error.nextTryAt : fault === "platform" ? nowSeconds() + platformWaitSeconds : undefined;
    const entry = await store.put({ kind, item, reason, fault, nextTryAt }, nowSeconds());
    lists.get(kind)?.set(item, entry);
    asideCount++;
    if (isWaiting) return;
    failedNow.push(entry);
    failure = error;
    if (failedNow.length > mostInOneRun) throw error;
  }

  async function takeBack(kind: string, items: readonly string[]): Promise<void> {
    if (items.length > 0) await store.remove(kind, items);
    for (const item of items) lists.get(kind)?.delete(item);
  }

  /** @param known ids that are set aside */
  async function attempt<Item>(
    group: readonly Item[],
    round: Omit<Round<Item>, "items"> & Pick<Queue<Item>, "isOver">,
    known: { has: (id: string) => boolean },
  ): Promise<number> {
    const { kind, idOf, work, goesWithPrevious = () => false, isOver = () => false } = round;
    if (signal.aborted || isOver()) return 0;
    const ids = group.map((item) => String(idOf(item)));
    try {
      const count = await work(group);
      hasDone = true;
      await takeBack(
        kind,
        ids.filter((id) => known.has(id)),
      );
      return count;
    } catch (error) {
      if (signal.aborted || !(blamesItem(error) || isDiskFailure(error))) throw error;
      const half = splitAt(group, goesWithPrevious);
      if (half > 0) return (await attempt(group.slice(0, half), round, known)) + (await attempt(group.slice(half), round, known));
      for (const id of ids) await putAside(kind, id, error);
      return 0;
    }
  }

  async function over<Item>(round: Round<Item>): Promise<number> {
    const { items, kind, idOf, batchSize = items.length, goesWithPrevious = () => false } = round;
    const known = await listOf(kind);
    const isKnown = (item: Item) => known.has(String(idOf(item)));
    const isWaiting = (item: Item) => (known.get(String(idOf(item)))?.nextTryAt ?? 0) > nowSeconds();
    const groups = [...batchesOf(items, 1, goesWithPrevious)];
    // Before anything is tried: what fails now is not tried twice.
    const [failedBefore, free] = [true, false].map((is) => groups.filter((group) => group.some(isKnown) === is));
    let count = 0;
    for (const batch of batchesOf(free?.flat() ?? [], batchSize, goesWithPrevious)) count += await attempt(batch, round, known);
    // What failed before is tried alone.
    for (const group of failedBefore ?? []) if (!group.some(isWaiting)) count += await attempt(group, round, known);
    return count;
  }

  /** What was never set aside, until there is no more of it. */
  async function throughNew<Item>({ find, findSize, ...round }: Queue<Item>, isOver: () => boolean): Promise<number> {
    const none = new Set<string>();
    let total = 0;
    for (let isMore = true; isMore && !isOver();) {
      const items = await find(null);
      const asideBefore = asideCount;
      let count = 0;
      for (const batch of batchesOf(items, round.batchSize ?? findSize)) count += await attempt(batch, round, none);
      total += count;
      // What someone else has in hand is found again; so is what the failed statement of its batch still held when it was tried alone.
      isMore = asideCount > asideBefore || (items.length === findSize && count > 0);
    }
    return total;
  }

  /** Reads a queue until it is empty. What is due again comes after what was never set aside, as much of it as one run may see fail. */
  async function throughQueue<Item>(queue: Queue<Item>): Promise<number> {
    const { find, findSize, kind, idOf, batchSize = findSize } = queue;
    const isOver = () => signal.aborted || queue.isOver?.() === true;
    let total = 0;
    for (let isMore = true; isMore && !isOver();) {
      total += await throughNew(queue, isOver);
      const limit = Math.min(findSize, dueAtOnce, mostInOneRun - failedNow.length);
      const due = isOver() ? [] : await store.claimDue(kind, limit, nowSeconds(), nowSeconds() + leaseSeconds);
      const items = due.length === 0 ? [] : await find(due);
      const there = new Set(items.map((item) => String(idOf(item))));
      for (const batch of batchesOf(items, batchSize)) total += await attempt(batch, queue, there);
      // Done elsewhere, replaced or gone.
      await takeBack(
        kind,
        due.filter((id) => !there.has(id)),
      );
      isMore = limit > 0 && due.length === limit;
    }
    return total;
  }

  return {
    over,
    throughQueue,

    /** Ids of what was set aside by earlier runs and is to be tried again, for what does not come up by itself. */
    async due(kind: string): Promise<string[]> {
      const now = new Set(failedNow);
      return idsOf(kind, (one) => !now.has(one) && one.nextTryAt <= nowSeconds());
    },
    putAside,
    takeBack,

    /** Ids that are left alone for now. */
    waiting: (kind: string): Promise<string[]> => idsOf(kind, ({ nextTryAt }) => nextTryAt > nowSeconds()),

    /** What the run did, in words where its count does not say it all, and what it left aside. */
    async end(processedCount: number, did?: string): Promise<number | TaskResult> {
      await store.forgetDueBefore(nowSeconds() - daySeconds);
      // Several in a row and nothing done: it is not their fault.
      if (!hasDone && failedNow.length > 1) throw failure;
      const { failedCount, waitingCount, hasPlatformFailed, nextTryAt } = await store.figures(nowSeconds());
      if (failedCount + waitingCount === 0) return did === undefined ? processedCount : { processedCount, did, logEntry: "" };
      const words = failedCount === 0 ? "" : wordsOf(failedCount, await store.oldest(listedItems));
      return {
        processedCount,
        ...(did === undefined ? {} : { did }),
        logEntry: [words, waitingCount === 0 ? "" : counted(waitingCount, "item waiting", "items waiting")].filter(Boolean).join(". "),
        setAside: failedNow,
        // A disk that does not give its bytes is no matter of one item.
        ...(hasPlatformFailed ? { hasFailed: true } : {}),
        ...(nextTryAt === null ? {} : { tryAgainAt: nextTryAt }),
      };
    },
  };
}

function wordsOf(count: number, oldest: readonly SetAside[]): string {
  const words = oldest.map(({ kind, item, reason, nextTryAt }) => `${kind} ${item} (${reason}; next try ${timeOf(nextTryAt)})`);
  const more = count > oldest.length ? ` and ${count - oldest.length} more` : "";
  return `${count} set aside: ${words.join(", ")}${more}`;
}

const timeOf = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Where to halve, so that what goes together stays together; 0 when it cannot be. */
function splitAt<Item>(group: readonly Item[], goesWithPrevious: (item: Item) => boolean): number {
  const middle = Math.ceil(group.length / 2);
  for (let at = middle; at < group.length; at++) if (!goesWithPrevious(group[at]!)) return at;
  for (let at = middle - 1; at > 0; at--) if (!goesWithPrevious(group[at]!)) return at;
  return 0;
}

/** A function is asked before each batch: how large they should be may show only as they come. */
export type BatchSize = number | (() => number);

/** An item that goes with the one before it stays in its batch. */
export function* batchesOf<T>(
  list: readonly T[],
  size: BatchSize,
  goesWithPrevious: (item: T) => boolean = () => false,
): Generator<readonly T[]> {
  for (let start = 0, end = 0; start < list.length; start = end) {
    end = Math.min(list.length, start + Math.max(1, typeof size === "number" ? size : size()));
    while (end < list.length && goesWithPrevious(list[end]!)) end++;
    yield list.slice(start, end);
  }
}
