import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";

export interface Outcome {
  kind: "success" | "error" | "validation" | "working";
  text: string;
}

interface RunOptions {
  working?: string;
  /** Marks the field that the server refused. */
  refuse?: (error: unknown) => void;
}

/** What a dialog says about its work, from the first word to the outcome (COM-02). */
export function useOutcome() {
  const [message, setMessage] = useState<Outcome | undefined>();
  return {
    message,
    say: setMessage,
    clear: () => setMessage(undefined),
    isWorking: message?.kind === "working",
    /** Does the work and tells the sentence that it gives; false after a failure, which is told too. */
    async run(work: () => Promise<string>, { working = "Sending request to server...", refuse }: RunOptions = {}): Promise<boolean> {
      setMessage({ kind: "working", text: working });
      try {
        setMessage({ kind: "success", text: await work() });
        return true;
      } catch (error) {
        setMessage({ kind: "error", text: failureMessage(error) });
        refuse?.(error);
        return false;
      }
    },
  };
}
