import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import { fileStoreFolders, type FileStore } from "#lib/file-store.ts";
import { blamesItem, isDiskFailure } from "#db/database-failure.ts";
import type { Walk } from "#services/walk.ts";
import type { ExpiredFilesStore } from "./expired-files.store.ts";
import { serialsAfter } from "./node-keys.store.ts";

export interface ExpiredFilesOptions {
  pool: Pool;
  store: ExpiredFilesStore;
  fileStore: FileStore;
  clock: Clock;
  /** Folders of the file store that one sweep looks through. */
  foldersPerSweep?: number;
}

const batchSize = 1_000;
const nodesPerStep = 500;
const parallelRemovals = 8;
const hourSeconds = 3_600;
const daySeconds = 86_400;
/** From the bytes to the commit of their row it takes seconds; whatever is younger may still get one. */
const idleSeconds = daySeconds;
// The whole store in a fortnight, when the pruner runs hourly.
const usualFolders = 13;

/** Files whose time is over: first their rows, then those of their bytes that no other row has. */
export function createExpiredFiles(options: ExpiredFilesOptions) {
  const { pool, store, fileStore, clock, foldersPerSweep = usualFolders } = options;

  /** Bytes that no one needs and no one is about to need. A row that comes for them later finds them written again. */
  const removeUnused = async (hashes: readonly Buffer[], walk: Walk): Promise<number> => {
    const idleBefore = clock.now() - idleSeconds * 1000;
    const waiting = new Set(await walk.waiting("content"));
    const queue = (await store.unused(hashes)).filter((hash) => !waiting.has(hash.toString("hex"))).values();
    const failed: [Buffer, unknown][] = [];
    let removed = 0;
    const remove = async (hash: Buffer) => {
      if (await fileStore.removeIdle(hash, idleBefore)) removed++;
    };
    const work = async () => {
      for (const hash of queue) await remove(hash).catch((error: unknown) => failed.push([hash, error]));
    };
    await Promise.all(Array.from({ length: parallelRemovals }, work));
    for (const [hash, error] of failed) {
      if (!(blamesItem(error) || isDiskFailure(error))) throw error;
      await walk.putAside("content", hash.toString("hex"), error);
    }
    return removed;
  };

  return {
    /** Forgets the files of these kinds whose interval and arrival were before a time. @returns how many files */
    async prune(kinds: readonly DataFileKind[], before: number, walk: Walk, signal: AbortSignal): Promise<number> {
      const latest = clock.now() / 1000 + daySeconds;
      let forgotten = 0;
      for (let last = 0; !signal.aborted;) {
        const serials = await serialsAfter(pool, "data_file", last, nodesPerStep);
        forgotten += await walk.over({
          items: serials,
          kind: "node",
          idOf: (serial) => serial,
          async work(some) {
            let total = 0;
            for (let count = batchSize; count === batchSize && !signal.aborted; total += count) {
              const hashes = await store.forget({ serials: some, kinds, before, latest, limit: batchSize });
              count = hashes.length;
              if (count > 0) await removeUnused(hashes, walk);
            }
            return total;
          },
        });
        if (serials.length < nodesPerStep) break;
        last = serials.at(-1) ?? last;
      }
      return forgotten;
    },

    /** Looks through a part of the store for what a crash left: bytes without a row, unfinished writes. Another part each hour. */
    async sweep(walk: Walk, signal: AbortSignal): Promise<number> {
      const idleBefore = clock.now() - idleSeconds * 1000;
      const hour = Math.floor(clock.now() / 1000 / hourSeconds);
      let removed = 0;
      for (let index = 0; index < foldersPerSweep && !signal.aborted; index++) {
        const folder = (hour * foldersPerSweep + index) % fileStoreFolders;
        removed += await fileStore.tidy(folder, idleBefore);
        let batch: Buffer[] = [];
        for await (const hash of fileStore.list(folder)) {
          batch.push(hash);
          if (batch.length < batchSize) continue;
          removed += await removeUnused(batch, walk);
          batch = [];
        }
        if (batch.length > 0) removed += await removeUnused(batch, walk);
      }
      return removed;
    },
  };
}
export type ExpiredFiles = ReturnType<typeof createExpiredFiles>;
