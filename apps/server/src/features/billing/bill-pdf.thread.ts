import { parentPort } from "node:worker_threads";
import type { Bill } from "@busbar/contract/billing.ts";
import { renderBillPdf } from "./bill-pdf.ts";

export type PdfAnswer = { pdf: Uint8Array } | { failure: string };

parentPort?.on("message", (bill: Bill) => {
  renderBillPdf(bill).then(
    (pdf) => parentPort?.postMessage({ pdf } satisfies PdfAnswer),
    (error: Error) => parentPort?.postMessage({ failure: error.stack ?? error.message } satisfies PdfAnswer),
  );
});
