import { useEffect } from "react";
import { useOutcome } from "#ui/use-outcome.ts";

const shownMs = 20_000;

/** COM-10: one request at a time; its success is said for 20 s, its failure in the server's words until the next one. */
export function useDownloadRequest() {
  const outcome = useOutcome();
  const { message, clear } = outcome;
  useEffect(() => {
    if (message?.kind !== "success") return;
    const timer = setTimeout(clear, shownMs);
    return () => clearTimeout(timer);
  }, [message, clear]);
  return outcome;
}
