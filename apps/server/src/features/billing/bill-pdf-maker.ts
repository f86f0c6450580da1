import { Worker } from "node:worker_threads";
import type { Bill } from "@busbar/contract/billing.ts";
import { tooManyRequests } from "#lib/errors.ts";
import type { PdfAnswer } from "./bill-pdf.thread.ts";

const program = new URL("./bill-pdf.thread.ts", import.meta.url);
const mostWaiting = 10;
const patienceMs = 30_000;

/** Makes PDFs in a thread beside the program, one after the other: half a second of layout must not hold up other calls. */
export function createBillPdfMaker() {
  let thread: Worker | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  // It stays, because its code gets fast only with use; it keeps no program alive.
  function threadNow(): Worker {
    if (thread) return thread;
    const started = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 512 } });
    started.unref();
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    thread = started;
    return started;
  }

  function make(bill: Bill): Promise<Uint8Array> {
    const worker = threadNow();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        worker.removeAllListeners("message").removeAllListeners("error");
        settle();
      };
      const giveUp = (error: Error) =>
        finish(() => {
          thread = undefined;
          void worker.terminate();
          reject(error);
        });
      const timer = setTimeout(() => giveUp(new Error("The PDF took too long")), patienceMs);
      worker.once("message", (answer: PdfAnswer) =>
        finish(() => ("pdf" in answer ? resolve(answer.pdf) : reject(new Error(answer.failure)))),
      );
      worker.once("error", giveUp);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(bill);
    });
  }

  return async (bill: Bill): Promise<Uint8Array> => {
    if (waiting >= mostWaiting) throw tooManyRequests("Too many bills are being made at the moment. Please try again", 5);
    waiting++;
    const made = turn.then(() => make(bill)).finally(() => waiting--);
    turn = made.catch(() => undefined);
    return made;
  };
}
