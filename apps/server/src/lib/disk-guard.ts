import type { Clock } from "./clock.ts";
import { keptFreeShare, readDiskSpace, type StatFs } from "./disk-space.ts";
import type { Log } from "./log.ts";

/** Says when the data folder's disk is too full to take files (R7). */
export interface DiskGuard {
  /** A sentence for people while there is too little room, as of the last look. */
  problem(): string | undefined;
  /** The same after a look, unless the last one was a moment ago. */
  check(): Promise<string | undefined>;
  start(): void;
  stop(): void;
}

export interface DiskGuardOptions {
  /** Undefined: none fills with what nodes send. */
  folder: string | undefined;
  clock: Clock;
  log: Log;
  statfs?: StatFs;
}

const lookEveryMs = 5_000;
const freshMs = 1_000;
// Room that comes and goes around the limit does not open and close the door all the time.
const resumeShare = keptFreeShare + 0.005;

export function createDiskGuard({ folder, clock, log, statfs }: DiskGuardOptions): DiskGuard {
  let problem: string | undefined;
  let lookedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    if (folder === undefined) return;
    lookedAt = clock.monotonic();
    const { usable, free } = await readDiskSpace(folder, statfs);
    const share = usable === 0 ? 1 : free / usable;
    const isShort = share < (problem === undefined ? keptFreeShare : resumeShare);
    if (isShort && problem === undefined) {
      problem = "The server's disk is almost full: files are not taken until there is room again";
      log.error({ freePercent: Math.round(share * 1_000) / 10, freeBytes: free }, problem);
    } else if (!isShort && problem !== undefined) {
      problem = undefined;
      log.info({ freePercent: Math.round(share * 1_000) / 10 }, "there is room on the disk again: files are taken");
    }
  };
  // A disk that cannot be asked reports what is wrong when it is written to.
  const check = async (): Promise<string | undefined> => {
    if (clock.monotonic() - lookedAt >= freshMs) await look().catch(() => undefined);
    return problem;
  };

  return {
    problem: () => problem,
    check,
    start() {
      void check();
      timer ??= setInterval(() => void check(), lookEveryMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
