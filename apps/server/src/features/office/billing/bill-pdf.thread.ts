import { parentPort } from "node:worker_threads";
import type { Bill } from "@busbar/contract/office/billing.ts";
import { renderBillPdf } from "./bill-pdf.ts";

export type PdfAnswer = { pdf: Uint8Array } | { failure: string };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (found: PdfAnswer) => parentPort?.postMessage(found);

parentPort?.on("message", (bill: Bill) => {
  renderBillPdf(bill).then(
    (pdf) => answer({ pdf }),
    (error: Error) => answer({ failure: error.stack ?? error.message }),
  );
});
