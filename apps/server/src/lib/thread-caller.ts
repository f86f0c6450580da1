import { Worker } from "node:worker_threads";
import { tooManyRequests } from "./errors.ts";

export interface ThreadCallerOptions {
  /** A module that answers each message of its parent port with one message. */
  program: URL;
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

/** Asks a thread beside the program, one question after the other: long work must not hold up other calls. It keeps no program alive. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the program takes, only its caller knows
export function createThreadCaller<Question, Answer>(options: ThreadCallerOptions): (question: Question) => Promise<Answer> {
  const { program, busyMessage, mostWaiting, patienceMs, maxHeapMb, idleMs } = options;
  let thread: Worker | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;

  function threadNow(): Worker {
    if (thread) return thread;
    const started = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    started.unref();
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    // Between questions there is no one to notify; the next one starts another thread.
    started.on("error", () => undefined);
    thread = started;
    return started;
  }

  function end(): void {
    const ended = thread;
    thread = undefined;
    void ended?.terminate();
  }

  function ask(question: Question): Promise<Answer> {
    clearTimeout(idle);
    const worker = threadNow();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        if (idleMs !== undefined) idle = setTimeout(end, idleMs).unref();
        settle();
      };
      const giveUp = (failure: ThreadFailure) =>
        finish(() => {
          end();
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

  return async (question: Question): Promise<Answer> => {
    if (waiting >= mostWaiting) throw tooManyRequests(busyMessage, 5);
    waiting++;
    const answered = turn.then(() => ask(question)).finally(() => waiting--);
    turn = answered.catch(() => undefined);
    return answered;
  };
}
