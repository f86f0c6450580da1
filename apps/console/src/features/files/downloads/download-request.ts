import { useEffect, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";

/** COM-10: 0 idle, 1 success, -1 failed. */
export type DownloadState = { status: 0 } | { status: 1; text: string } | { status: -1; text: string };

const shownMs = 20_000;

/** COM-10: one request at a time; its success is told for 20 s, its failure in the server's words until the next one. */
export function useDownloadRequest() {
  const [state, setState] = useState<DownloadState>({ status: 0 });
  const [isWorking, setIsWorking] = useState(false);
  useEffect(() => {
    if (state.status !== 1) return;
    const timer = setTimeout(() => setState({ status: 0 }), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const begin = async (work: () => Promise<string>) => {
    setIsWorking(true);
    setState({ status: 0 });
    try {
      setState({ status: 1, text: await work() });
    } catch (error) {
      setState({ status: -1, text: failureMessage(error) });
    }
    setIsWorking(false);
  };
  return { state, isWorking, begin };
}
