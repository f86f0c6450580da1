import type { Clock } from "#lib/clock.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { RunResult } from "./service.store.ts";
import type { Task, TaskResult } from "./service.ts";

export interface RunOutcome extends RunResult {
  /** What was thrown. */
  error?: unknown;
  setAside?: TaskResult["setAside"];
  tryAgainAt?: TaskResult["tryAgainAt"];
}

/** One run of a task. */
export interface TaskRun {
  task: Task;
  /** Resolves in any case, whatever the task does, unless it never ends. */
  outcome: Promise<RunOutcome>;
  /** Its lock was given up while it still ran. */
  isGivenUp: boolean;
  elapsedSeconds(): number;
  isAskedToStop(): boolean;
  askToStop(): void;
  /** A line for the services page: since when it runs, and what was done about it. */
  words(what: string): string;
  givenUp(): RunOutcome;
}

const longestEntry = 1_000;
const largestCount = 2_147_483_647;

/** Starts the task; it is also asked to stop when the program ends. */
export function startTask(task: Task, clock: Clock, programEnds: AbortSignal): TaskRun {
  const startedMs = clock.monotonic();
  const startedAt = new Date(clock.now()).toISOString().slice(0, 19).replace("T", " ");
  const tooLong = new AbortController();
  const elapsedSeconds = () => (clock.monotonic() - startedMs) / 1000;
  const words = (what: string) => `Running since ${startedAt} UTC, ${what} after ${Math.round(elapsedSeconds() / 60)} min`;

  async function execute(): Promise<RunOutcome> {
    let result: TaskResult = { processedCount: 0, logEntry: "" };
    let error: unknown;
    try {
      const returned = await task.run(AbortSignal.any([programEnds, tooLong.signal]));
      result = typeof returned === "number" ? { processedCount: returned, logEntry: "" } : returned;
    } catch (thrown) {
      const reason: unknown = thrown ?? new Error("It failed and did not say why");
      result.logEntry = reason instanceof Error ? reason.message : String(reason);
      // Cut short by the end of the program, it has not failed: the next process goes on with it at once.
      if (programEnds.aborted) result.tryAgainAt = clock.now() / 1000;
      else error = reason;
    }
    const hasFailed = error !== undefined || tooLong.signal.aborted || result.hasFailed === true;
    const logEntry = tooLong.signal.aborted ? [words("stopped"), result.logEntry].filter(Boolean).join(": ") : result.logEntry;
    const processedCount = Number.isFinite(result.processedCount)
      ? Math.min(Math.max(0, Math.round(result.processedCount)), largestCount)
      : 0;
    return {
      durationSeconds: elapsedSeconds(),
      processedCount,
      did: visibleText(result.did ?? (processedCount === 0 ? "" : task.did(processedCount)), longestEntry),
      logEntry: visibleText(logEntry, longestEntry),
      hasFailed,
      setAside: result.setAside,
      tryAgainAt: result.tryAgainAt,
      ...(error === undefined ? {} : { error }),
    };
  }

  return {
    task,
    outcome: execute(),
    isGivenUp: false,
    elapsedSeconds,
    isAskedToStop: () => tooLong.signal.aborted,
    askToStop: () => tooLong.abort(),
    words,
    givenUp: () => ({
      durationSeconds: elapsedSeconds(),
      processedCount: 0,
      did: "",
      logEntry: `${words("given up")}: it does not stop`,
      hasFailed: true,
    }),
  };
}
