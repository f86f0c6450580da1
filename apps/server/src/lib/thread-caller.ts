import { Worker } from "node:worker_threads";
import { tooManyRequests } from "./errors.ts";

export interface ThreadCallerOptions {
  /** A module that answers each message of its parent port with one message. */
  program: URL;
  /** Given to the program as `workerData`. */
  settings?: unknown;
  /** What callers hear when `mostWaiting` others wait already. */
  busyMessage: string;
  mostWaiting: number;
  patienceMs: number;
  maxHeapMb: number;
  /** After so long without work the thread ends, and what it remembers goes with it; without it the thread stays. */
  idleMs?: number;
}

/** The thread ended without an answer: it took too long, needed too much memory, or broke. */
export class ThreadFailure extends Error {
  why: "slow" | "memory" | "broken";
  constructor(why: ThreadFailure["why"], message: string) {
    super(message);
    this.why = why;
  }
}

export interface ThreadCaller<Question, Answer> {
  ask: (question: Question) => Promise<Answer>;
  /** Ends the thread with what it does; the next question starts another. */
  end: () => Promise<void>;
}

/** Asks a thread beside the program, one question after the other: long work must not hold up other calls. It keeps no program alive. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the program takes, only its caller knows
export function createThreadCaller<Question, Answer>(options: ThreadCallerOptions): ThreadCaller<Question, Answer> {
  const { program, settings, busyMessage, mostWaiting, patienceMs, maxHeapMb, idleMs } = options;
  let thread: Worker | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;

  function threadNow(): Worker {
    if (thread) return thread;
    const started = new Worker(program, { workerData: settings, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    started.unref();
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    // Between questions there is no one to notify; the next one starts another thread.
    started.on("error", () => undefined);
    thread = started;
    return started;
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  function askNow(question: Question): Promise<Answer> {
    clearTimeout(idle);
    const worker = threadNow();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        if (idleMs !== undefined) idle = setTimeout(() => void end(), idleMs).unref();
        settle();
      };
      const giveUp = (failure: ThreadFailure) =>
        finish(() => {
          void end();
          reject(failure);
        });
      const onMessage = (answer: Answer) => finish(() => resolve(answer));
      const onError = (error: NodeJS.ErrnoException) =>
        giveUp(new ThreadFailure(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "broken", error.message));
      const onExit = () => giveUp(new ThreadFailure("broken", "The thread ended"));
      const timer = setTimeout(() => giveUp(new ThreadFailure("slow", `No answer within ${patienceMs / 1000} s`)), patienceMs);
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(question);
    });
  }

  return {
    async ask(question) {
      if (waiting >= mostWaiting) throw tooManyRequests(busyMessage, 5);
      waiting++;
      const answered = turn.then(() => askNow(question)).finally(() => waiting--);
      turn = answered.catch(() => undefined);
      return answered;
    },
    end,
  };
}
