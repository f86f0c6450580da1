import type { Bill } from "@busbar/contract/office/billing.ts";
import { createThreadCaller } from "#lib/thread-caller.ts";
import type { PdfAnswer } from "./bill-pdf.thread.ts";

/** Makes PDFs in a thread beside the program, half a second of layout each. It stays, because its code gets fast only with use. */
export function createBillPdfMaker() {
  const { ask } = createThreadCaller<Bill, PdfAnswer>({
    program: new URL("./bill-pdf.thread.ts", import.meta.url),
    busyMessage: "Too many bills are being made at the moment. Please try again",
    mostWaiting: 10,
    patienceMs: 30_000,
    maxHeapMb: 512,
  });
  return async (bill: Bill): Promise<Uint8Array> => {
    const answer = await ask(bill);
    if ("pdf" in answer) return answer.pdf;
    throw new Error(answer.failure);
  };
}
