import type { SimulatedFileKind } from "./data-file.ts";

/** A file that the host has not acknowledged yet. It is built for each attempt: only its name is kept. */
export interface PendingFile {
  kind: SimulatedFileKind;
  timestamp: number;
  /** Epoch seconds of the simulated world: not before. */
  availableAt: number;
  attempts: number;
  /** Milliseconds of the network's clock: not before. */
  retryAt: number;
  /** Acknowledged, and to be sent once more all the same. */
  isRepeat: boolean;
}

export interface UploadQueue {
  readonly size: number;
  add(kind: SimulatedFileKind, timestamp: number, availableAt: number): void;
  /** The host lacks it: at once, whatever was tried. */
  hurry(kind: SimulatedFileKind, timestamp: number): void;
  next(worldSeconds: number, networkMs: number): PendingFile | undefined;
  remove(file: PendingFile): void;
  /** Oldest first. */
  values(): PendingFile[];
}

/** Files are kept for 30 days. */
export const keptSeconds = 30 * 86_400;

export function createUploadQueue(): UploadQueue {
  const files = new Map<string, PendingFile>();
  const keyOf = (kind: SimulatedFileKind, timestamp: number) => `${kind}${timestamp}`;

  const add = (kind: SimulatedFileKind, timestamp: number, availableAt: number) => {
    const key = keyOf(kind, timestamp);
    if (!files.has(key)) files.set(key, { kind, timestamp, availableAt, attempts: 0, retryAt: 0, isRepeat: false });
  };

  return {
    get size() {
      return files.size;
    },
    add,
    hurry(kind, timestamp) {
      const known = files.get(keyOf(kind, timestamp));
      if (known) Object.assign(known, { attempts: 0, retryAt: 0, availableAt: 0 });
      else add(kind, timestamp, 0);
    },
    next(worldSeconds, networkMs) {
      for (const [key, file] of files) {
        if (file.timestamp < worldSeconds - keptSeconds) files.delete(key);
        else if (file.availableAt <= worldSeconds && file.retryAt <= networkMs) return file;
      }
      return undefined;
    },
    remove: (file) => void files.delete(keyOf(file.kind, file.timestamp)),
    values: () => [...files.values()].toSorted((a, b) => a.timestamp - b.timestamp),
  };
}
