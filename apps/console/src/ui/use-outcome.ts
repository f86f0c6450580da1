import { useCallback, useState } from "react";
import { failureMessage, isSessionOver } from "#lib/api-error.ts";
import type { Message } from "./message-line.tsx";

interface RunOptions {
  working?: string;
  /** Marks the field that the server refused. */
  refuse?: ((error: unknown) => void) | undefined;
}

export type Outcome = ReturnType<typeof useOutcome>;

/** What a dialog says about its work, from the first word to the outcome (COM-02, COM-11). */
export function useOutcome(first?: Message) {
  const [message, setMessage] = useState(first);
  const [error, setError] = useState<unknown>();
  const say = (next: Message | undefined): void => {
    setMessage(next);
    setError(undefined);
  };
  return {
    message,
    /** What the work failed of. */
    error,
    say,
    clear: useCallback(() => setMessage(undefined), []),
    isWorking: message?.kind === "working",
    /** Does the work and says the sentence that it gives, if any; false without one, and after a failure, which is said too. */
    async run(
      work: () => Promise<string | undefined>,
      { working = "Sending request to server...", refuse }: RunOptions = {},
    ): Promise<boolean> {
      say({ kind: "working", text: working });
      try {
        const text = await work();
        say(text === undefined ? undefined : { kind: "success", text });
        return text !== undefined;
      } catch (failure) {
        // Whoever signs in again above a form finds it as it was (decision 0052).
        setMessage(isSessionOver(failure) ? undefined : { kind: "error", text: failureMessage(failure) });
        setError(failure);
        refuse?.(failure);
        return false;
      }
    },
  };
}
