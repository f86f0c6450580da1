import { freemem, totalmem } from "node:os";
import { readDiskSpace } from "#lib/disk-space.ts";

export interface SystemFigures {
  memoryAvailableMb: number;
  memoryUsedMb: number;
  memoryFreeMb: number;
  diskAvailableGb: number;
  diskUsedGb: number;
  diskFreeGb: number;
  minDiskFreePercent: number;
  maxDiskFreePercent: number;
  avgDiskFreePercent: number;
}

const sampleEveryMs = 60_000;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Memory of this machine, or of the container, and the disk that the data folder is on. The share of free disk is sampled over time. */
export function createSystemFigures(folder: string) {
  let samples = 0;
  let sum = 0;
  let least = 100;
  let most = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  async function sample() {
    const { usable, used, free } = await readDiskSpace(folder);
    const gb = (bytes: number) => round(bytes / 1_073_741_824);
    const freePercent = usable === 0 ? 0 : (free / usable) * 100;
    samples++;
    sum += freePercent;
    least = Math.min(least, freePercent);
    most = Math.max(most, freePercent);
    return { diskAvailableGb: gb(usable), diskUsedGb: gb(used), diskFreeGb: gb(free) };
  }

  return {
    async read(): Promise<SystemFigures> {
      const disk = await sample();
      const limit = process.constrainedMemory();
      const total = limit > 0 && limit < totalmem() ? limit : totalmem();
      const free = Math.min(limit > 0 && limit < totalmem() ? process.availableMemory() : freemem(), total);
      const mb = (bytes: number) => Math.round(bytes / 1_048_576);
      return {
        memoryAvailableMb: mb(total),
        memoryUsedMb: mb(total - free),
        memoryFreeMb: mb(free),
        ...disk,
        minDiskFreePercent: round(least),
        maxDiskFreePercent: round(most),
        avgDiskFreePercent: round(sum / samples),
      };
    },
    start(): void {
      timer ??= setInterval(() => void sample().catch(() => undefined), sampleEveryMs).unref();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
export type SystemFiguresReader = ReturnType<typeof createSystemFigures>;
