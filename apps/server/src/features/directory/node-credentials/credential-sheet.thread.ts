import { parentPort } from "node:worker_threads";
import { renderCredentialSheet, type CredentialSheet } from "./credential-sheet.ts";

export type SheetAnswer = { pdf: Uint8Array } | { failure: string };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (found: SheetAnswer) => parentPort?.postMessage(found);

parentPort?.on("message", (sheet: CredentialSheet) => {
  renderCredentialSheet(sheet).then(
    (pdf) => answer({ pdf }),
    (error: Error) => answer({ failure: error.stack ?? error.message }),
  );
});
