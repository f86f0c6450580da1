import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { blamesItem } from "#db/database-failure.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { Log } from "#lib/log.ts";
import type { Task } from "#services/service.ts";
import { NotYet, startWalk } from "#services/walk.ts";
import type { DownloadsStore, OpenDownloadJob, PackedFileRow } from "./downloads.store.ts";
import type { PackageFolder } from "./package-folder.ts";
import { zipFiles } from "./zip-files.ts";

export interface DownloadPackerOptions {
  pool: Pool;
  store: DownloadsStore;
  packages: PackageFolder;
  fileStore: FileStore;
  mail: Pick<Mail, "enqueue">;
  clock: Clock;
  log: Log;
}

const name = "HarmonicsPackager";
const intervalSeconds = 30;
const findSize = 50;
/** Five tries. */
const triedForSeconds = 1_800;
/** A node that sent no more harmonics for so long has sent what it has. */
const quietSeconds = 60;
const longestWaitSeconds = 1_800;
const pageSize = 500;
const progressEvery = 200;
/** Deflated in a package, files take about as much as they do now; names come on top. */
const bytesPerName = 200;

/** Packs what people requested. Harmonics first have to come from their node. */
export function createDownloadPacker(options: DownloadPackerOptions): Task {
  const { pool, store, packages, clock } = options;
  return {
    name,
    intervalSeconds,
    did: (count) => `Packed ${counted(count, "download")}`,
    async run(signal) {
      await packages.prepare();
      const walk = startWalk({ pool, clock, service: name, signal });
      const packed = await walk.throughQueue({
        kind: "download",
        find: (ids) => store.findOpen(clock.now() / 1000, findSize, ids),
        findSize,
        batchSize: 1,
        idOf: ({ id }) => id,
        async work(jobs) {
          let count = 0;
          for (const job of jobs) if (await attempt(options, job, signal)) count++;
          return count;
        },
      });
      return walk.end(packed);
    },
  };
}

/** A package that cannot be made is tried again while someone may still wait for it. */
async function attempt(options: DownloadPackerOptions, job: OpenDownloadJob, signal: AbortSignal): Promise<boolean> {
  const { pool, store, clock, log } = options;
  const now = clock.now() / 1000;
  try {
    return await work(options, job, now, signal);
  } catch (error) {
    if (signal.aborted || error instanceof NotYet || !blamesItem(error)) throw error;
    if (now - job.createdAt < triedForSeconds) {
      await store.update(pool, job.id, { status: "Waiting", fileCount: job.fileCount, packedCount: 0 });
      throw error;
    }
    log.error({ err: error, download: job.id }, "a download could not be packed");
    await fail(options, job, "It could not be packed; the log of the server says why");
    return false;
  }
}

async function fail({ store, pool }: DownloadPackerOptions, { id, fileCount }: OpenDownloadJob, failedReason: string): Promise<void> {
  await store.update(pool, id, { status: "Failed", fileCount, packedCount: 0, failedReason });
}

async function work(options: DownloadPackerOptions, job: OpenDownloadJob, now: number, signal: AbortSignal): Promise<boolean> {
  const { pool, store, packages, fileStore } = options;
  const { count, bytes, newestAt } = await store.measure(job);
  if (job.kind === "harmonics" && isExpected(job, newestAt, now)) {
    await store.update(pool, job.id, { status: "Waiting", fileCount: count, packedCount: 0 });
    throw new NotYet(`Waits for harmonics files of node ${job.serial}`, now + intervalSeconds);
  }
  if (count === 0) {
    await fail(options, job, reasonForNone(job));
    return false;
  }
  if (bytes + count * bytesPerName > (await packages.room())) {
    await fail(options, job, "There is not enough room on the server's disk");
    return false;
  }
  const stopping = new AbortController();
  const progress = { status: "Packing", fileCount: count } as const;
  if (!(await store.update(pool, job.id, { ...progress, packedCount: 0 }))) return false;
  const made = await zipFiles({
    path: packages.pathOf(job.id),
    fileStore,
    files: filesOf(store, job, count),
    signal: AbortSignal.any([signal, stopping.signal]),
    onPacked(packedCount) {
      if (packedCount % progressEvery !== 0) return;
      void store.update(pool, job.id, { ...progress, packedCount }).then(
        (isNeeded) => isNeeded || stopping.abort(new Error("given up")),
        () => undefined,
      );
    },
  }).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (made === undefined) return false;
  // What was to be packed has reached its end of life in the meantime.
  if (made.count === 0) {
    await fail(options, job, reasonForNone(job));
    return false;
  }
  return finish(options, job, made.count, made.size);
}

function isExpected({ createdAt, isConnected }: OpenDownloadJob, newestAt: number, now: number): boolean {
  if (now - createdAt > longestWaitSeconds || !isConnected) return false;
  return now - Math.max(createdAt, newestAt) < quietSeconds;
}

function reasonForNone({ kind, serial, isConnected }: OpenDownloadJob): string {
  if (kind === "files") return `Node ${serial} has no files of that time`;
  return isConnected
    ? `Node ${serial} sent no harmonics files for that time`
    : `Node ${serial} is not connected, and no harmonics files of that time are stored`;
}

/** Files that arrive while the package is made belong to the next one. */
async function* filesOf(store: DownloadsStore, job: OpenDownloadJob, count: number): AsyncGenerator<PackedFileRow> {
  let last: PackedFileRow | undefined;
  for (let left = count; left > 0;) {
    const page = await store.nextFiles(job, last, Math.min(pageSize, left));
    if (page.length === 0) return;
    yield* page;
    last = page.at(-1);
    left -= page.length;
  }
}

async function finish(
  { pool, store, mail, clock }: DownloadPackerOptions,
  job: OpenDownloadJob,
  count: number,
  size: number,
): Promise<boolean> {
  const what = job.kind === "harmonics" ? "harmonics files" : "files";
  const hours = Math.max(1, Math.floor((job.expiresAt - clock.now() / 1000) / 3_600));
  return inTransaction(pool, async (client) => {
    const change = { status: "Ready", fileCount: count, packedCount: count, size, readyAt: clock.now() / 1000 } as const;
    if (!(await store.update(client, job.id, change))) return false;
    await mail.enqueue(client, {
      kind: "DOWNLOAD_READY",
      to: [job.address],
      subject: `Busbar: ${what} of node ${job.serial} are ready`,
      screen: "downloads",
      body: (link) =>
        [
          `The ${what} of node ${job.serial} that you asked for ${count === 1 ? "is" : "are"} packed: ${counted(count, "file")}, ${(size / 1e6).toFixed(1)} MB.`,
          "",
          link,
          "",
          `The page asks you to sign in. The package is kept for ${hours} ${hours === 1 ? "hour" : "hours"} more.`,
          "",
        ].join("\n"),
      dedupeKey: `download ${job.id}`,
    });
    return true;
  });
}
