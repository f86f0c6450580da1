import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk, type Walk } from "#services/walk.ts";
import { makeDay, makeHour, makeMonth } from "./trend-aggregates.ts";
import {
  firstDayOf,
  monthOfDay,
  type DirtyItem,
  type DirtyKind,
  type PackedRow,
  type TrendAggregatesStore,
} from "./trend-aggregates.store.ts";
import type { TrendNodeRow, TrendsReadModel } from "./trends.read-model.ts";

export interface TrendAggregatesOptions {
  pool: Pool;
  store: TrendAggregatesStore;
  readModel: Pick<TrendsReadModel, "nodes" | "stays">;
  clock: Clock;
}

const name = "TrendAggregates";
const hourSeconds = 3600;
/** An hour is closed so long after its end: what comes later is marked, and its hour is made once more. */
const graceSeconds = 120;
const findSize = 400;
const hoursPerBatch = 50;
const daysPerBatch = 10;
const words: Record<DirtyKind, string> = { h: "hour", d: "day", m: "month" };
/** What came before this version is made beside the rest: an hour that is over is not to wait for it. */
const longestFillMs = 40_000;
const lockNotAvailable = "55P03";

/**
 * Keeps the aggregates of what nodes measure: closes each hour, day and month once it is over, makes anew what data was added to since, and
 * after an update what came before it. What a run does not reach is left to the next.
 */
export function createTrendAggregates({ pool, store, readModel, clock }: TrendAggregatesOptions): Task {
  const nodesOf = async (items: readonly { serial: number }[]): Promise<Map<number, TrendNodeRow>> => {
    const rows = await readModel.nodes([...new Set(items.map(({ serial }) => serial))]);
    return new Map(rows.map((row) => [row.serial, row]));
  };

  /** Makes all dirty items of a kind, each batch in one transaction with what follows from it. */
  const make = (
    walk: Walk,
    kind: DirtyKind,
    batchSize: number,
    work: (client: PoolClient, items: readonly DirtyItem[]) => Promise<void>,
  ): Promise<number> =>
    walk.throughQueue({
      kind: words[kind],
      find: (ids) => store.findDirty(kind, words[kind], findSize, ids),
      idOf: ({ serial, at }) => `${serial} ${at}`,
      batchSize,
      async work(items) {
        await inTransaction(pool, async (client) => {
          await work(client, items);
          await store.forgetDirty(client, kind, items);
        });
        return items.length;
      },
      findSize,
    });

  const makeHours = async (client: PoolClient, items: readonly DirtyItem[]): Promise<void> => {
    await store.ensureMinutePartitions(items.map(({ at }) => at));
    const nodes = await nodesOf(items);
    const rows: PackedRow[] = [];
    for (const { serial, at } of items) {
      const node = nodes.get(serial);
      if (node) rows.push(...(await makeHour(pool, store, node, at)));
    }
    await store.putMinutes(client, rows);
    const { queuedDay } = await store.state();
    const ofDays = items.map(({ serial, at }) => ({ serial, at: Math.floor(at / 24) })).filter(({ at }) => at <= queuedDay);
    await store.addDirty(client, "d", ofDays);
  };

  const makeDays = async (client: PoolClient, items: readonly { serial: number; at: number }[]): Promise<void> => {
    await store.ensureQuarterPartitions(items.map(({ at }) => at));
    const nodes = await nodesOf(items);
    const bounds = await store.bounds(pool, [...nodes.keys()]);
    const rows: PackedRow[] = [];
    for (const { serial, at } of items) {
      const node = nodes.get(serial);
      if (node) rows.push(...(await makeDay(pool, store, node, at, bounds.get(serial)!)));
    }
    await store.putQuarters(client, rows);
  };

  const makeDirtyDays = async (client: PoolClient, items: readonly DirtyItem[]): Promise<void> => {
    await makeDays(client, items);
    const { queuedMonth } = await store.state();
    // A day of a place may be in the day of UTC before or after.
    const months = items
      .flatMap(({ serial, at }) => [at - 1, at, at + 1].map((day) => ({ serial, at: monthOfDay(day) })))
      .filter(({ at }) => at <= queuedMonth);
    await store.addDirty(client, "m", months);
  };

  const makeMonths = async (client: PoolClient, items: readonly { serial: number; at: number }[]): Promise<void> => {
    const nodes = await nodesOf(items);
    const stays = await readModel.stays([...nodes.keys()]);
    const bounds = await store.bounds(pool, [...nodes.keys()]);
    for (const { serial, at } of items) {
      const node = nodes.get(serial);
      const own = stays.filter((stay) => stay.serial === serial);
      if (node) await store.putDays(client, await makeMonth(pool, store, node, own, at, bounds.get(serial)!));
    }
  };

  /** One month of what came before this version, the newest first. @returns the day before which there may be more */
  const fill = async (client: PoolClient, serial: number, beforeDay: number): Promise<number | undefined> => {
    const last = await store.dayBefore(serial, beforeDay);
    if (last === undefined) {
      await store.noteFilled(client, serial, undefined);
      return undefined;
    }
    const month = monthOfDay(last);
    const first = firstDayOf(month);
    const days = Array.from({ length: Math.min(beforeDay, firstDayOf(month + 1)) - first }, (_, index) => ({ serial, at: first + index }));
    await makeDays(client, days);
    await store.noteFilled(client, serial, first);
    const { queuedMonth } = await store.state();
    await store.addDirty(
      client,
      "m",
      [month - 1, month, month + 1].filter((at) => at <= queuedMonth).map((at) => ({ serial, at })),
    );
    return first;
  };

  const close = async (signal: AbortSignal): Promise<void> => {
    const hour = Math.floor((clock.now() / 1000 - graceSeconds) / hourSeconds) - 1;
    await store.closeHour(hour).catch((error: { code?: string }) => {
      if (error.code !== lockNotAvailable) throw error;
    });
    const { closedHour, queuedHour } = await store.state();
    for (let hour = queuedHour + 1; hour <= closedHour && !signal.aborted; hour++) await store.queueHour(hour);
  };

  const closeDays = async (signal: AbortSignal): Promise<void> => {
    const { queuedHour, queuedDay } = await store.state();
    const closedDay = Math.floor((queuedHour + 1) / 24) - 1;
    for (let day = queuedDay + 1; day <= closedDay && !signal.aborted; day++) await store.queueDay(day);
  };

  const closeMonths = async (signal: AbortSignal): Promise<void> => {
    const { queuedDay, queuedMonth } = await store.state();
    // Its last days end up to half a day after that of UTC.
    for (let month = queuedMonth + 1; firstDayOf(month + 1) <= queuedDay && !signal.aborted; month++) await store.queueMonth(month);
  };

  return {
    name,
    intervalSeconds: 60,
    did: (count) => `Made ${counted(count, "aggregate")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      await close(signal);
      const hours = await make(walk, "h", hoursPerBatch, makeHours);
      await closeDays(signal);
      const days = await make(walk, "d", daysPerBatch, makeDirtyDays);
      await closeMonths(signal);
      let months = await make(walk, "m", 1, makeMonths);
      const fillsUntil = clock.monotonic() + longestFillMs;
      const isOver = () => signal.aborted || clock.monotonic() >= fillsUntil;
      let earlierMonths = 0;
      await walk.throughQueue({
        kind: "node",
        find: (ids) => store.findFills(findSize, ids),
        idOf: ({ serial }) => serial,
        batchSize: 1,
        async work([item]) {
          if (!item) return 0;
          let count = 0;
          for (let before: number | undefined = item.beforeDay; before !== undefined && !isOver(); count++) {
            const day: number = before;
            before = await inTransaction(pool, (client) => fill(client, item.serial, day));
            if (before !== undefined) earlierMonths++;
          }
          return count;
        },
        findSize,
        isOver,
      });
      months += await make(walk, "m", 1, makeMonths);
      const parts = [
        [hours, "hour"],
        [days, "day"],
        [months, "month"],
        [earlierMonths, "earlier month"],
      ] as const;
      const made = parts.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
      return walk.end(hours + days + months + earlierMonths, made.length === 0 ? "" : `Made ${made.join(", ")} of machines`);
    },
  };
}
