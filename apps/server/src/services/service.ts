import type { SetAside } from "./set-aside.store.ts";

export interface TaskResult {
  processedCount: number;
  /** What it did, where that is more than its count says; empty when it had nothing to do. */
  did?: string;
  /** A line for the services page. */
  logEntry: string;
  /** It could not do its work, which is no error of its own: someone else is away. */
  hasFailed?: boolean;
  /** What it could not do its work on in this run. */
  setAside?: readonly SetAside[];
  /** Epoch seconds: when it wants to try something again, however long its interval. */
  tryAgainAt?: number;
}

/**
 * A background job. `run` does all work that is due and returns how many items it processed, perhaps with a line about it; it ends
 * soon after `signal`.
 */
export interface Task {
  name: string;
  intervalSeconds: number;
  /** It runs so many seconds after each full interval since the epoch; without it, an interval after its last run. */
  offsetSeconds?: number;
  /** In words what a run did that processed so many items, at least one, such as `Packed 3 downloads`. */
  did(count: number): string;
  run(signal: AbortSignal): Promise<number | TaskResult>;
}

/** What runs as long as its process: shown among the services, switched by no one. */
export interface ContinuousService {
  name: string;
  /** Items processed since the process started. */
  processed(): Promise<number>;
  /** In words, as of a task. */
  did(count: number): string;
  /** What keeps it from working. */
  problem(): string | undefined;
}
