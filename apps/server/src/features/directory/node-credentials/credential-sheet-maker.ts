import { createThreadCaller } from "#lib/thread-caller.ts";
import type { SheetAnswer } from "./credential-sheet.thread.ts";
import type { CredentialSheet } from "./credential-sheet.ts";

/** Makes sheets in a thread beside the program, as a delivery of nodes takes seconds. It ends soon: it has seen secrets. */
export function createCredentialSheetMaker() {
  const { ask } = createThreadCaller<CredentialSheet, SheetAnswer>({
    program: new URL("./credential-sheet.thread.ts", import.meta.url),
    busyMessage: "Too many sheets are being made at the moment. Please try again",
    mostWaiting: 10,
    patienceMs: 60_000,
    maxHeapMb: 512,
    idleMs: 60_000,
  });
  return async (sheet: CredentialSheet): Promise<Uint8Array> => {
    const answer = await ask(sheet);
    if ("pdf" in answer) return answer.pdf;
    throw new Error(answer.failure);
  };
}
