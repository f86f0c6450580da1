import { setTimeout as wait } from "node:timers/promises";

export interface NodeLoader {
  /** Continues once the node of this serial is loaded, or known not to exist. Continuations of one node keep their order. */
  wait(serial: number, continueWith: () => void): void;
  /** Queues behind continuations of the same node; false when there are none. */
  follow(serial: number, continueWith: () => void): boolean;
  /** Lets everything continue, loaded or not: ingest stops. */
  release(): void;
}

export interface NodeLoaderOptions {
  load: (serials: readonly number[]) => Promise<void>;
  noteFailure: (error: unknown) => void;
  isStopped: () => boolean;
}

const retryMs = 500;

/** Loads many nodes with one query: a fleet that reconnects is loaded in a few steps. */
export function createNodeLoader({ load, noteFailure, isStopped }: NodeLoaderOptions): NodeLoader {
  const waiting = new Map<number, (() => void)[]>();
  let isLoading = false;

  const release = (serials: readonly number[]) => {
    for (const serial of serials) {
      const continuations = waiting.get(serial) ?? [];
      waiting.delete(serial);
      for (const continueWith of continuations) continueWith();
    }
  };
  const run = async () => {
    while (waiting.size > 0) {
      const serials = [...waiting.keys()];
      try {
        await load(serials);
        release(serials);
      } catch (error) {
        noteFailure(error);
        if (isStopped()) break;
        await wait(retryMs);
      }
    }
    isLoading = false;
  };

  return {
    wait(serial, continueWith) {
      const known = waiting.get(serial);
      if (known) known.push(continueWith);
      else waiting.set(serial, [continueWith]);
      if (isLoading) return;
      isLoading = true;
      setImmediate(() => void run());
    },
    follow(serial, continueWith) {
      const known = waiting.get(serial);
      known?.push(continueWith);
      return known !== undefined;
    },
    release: () => release([...waiting.keys()]),
  };
}
