import { useState } from "react";
import { failureMessage } from "#api/api-error.ts";
import type { Message } from "#ui/message-line.tsx";

/** What a dialog says about its work, from the first word to the outcome (COM-02). */
export function useOutcome() {
  const [message, setMessage] = useState<Message | undefined>();
  return {
    message,
    say: setMessage,
    clear: () => setMessage(undefined),
    isWorking: message?.kind === "working",
    /** Does the work and tells the sentence that it gives; undefined after a failure, which is told too. */
    async run(work: () => Promise<string>): Promise<string | undefined> {
      setMessage({ kind: "working", text: "Sending request to server..." });
      try {
        const text = await work();
        setMessage({ kind: "success", text });
        return text;
      } catch (error) {
        setMessage({ kind: "error", text: failureMessage(error) });
        return undefined;
      }
    },
  };
}
