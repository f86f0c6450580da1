import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useApi } from "#api/api-context.ts";
import { sendTicks } from "./send-ticks.ts";
import { createTickStore } from "./waiting-ticks.ts";

const againMs = 15_000;

/**
 * What this person entered and the server does not have yet; sent at once, when the network is back, and every now and then.
 * @param isReady what the screen shows of it has been read: an answer that is on its way would be older than what is sent
 */
export function useWaitingTicks(username: string, isReady = true) {
  const store = useMemo(() => createTickStore(localStorage, username), [username]);
  const ticks = useSyncExternalStore(store.subscribe, store.get);
  // A tick goes once the tasks were read again: in between it would look as if it had not been made.
  const call = useApi({ isAwaited: true });
  const send = useCallback(() => void sendTicks(store, call), [store, call]);
  useEffect(() => store.open(), [store]);
  const isWaiting = isReady && ticks.some(({ refusal }) => refusal === undefined);
  useEffect(() => {
    if (!isWaiting) return undefined;
    send();
    const timer = setInterval(send, againMs);
    addEventListener("online", send);
    return () => {
      clearInterval(timer);
      removeEventListener("online", send);
    };
  }, [isWaiting, send]);
  return { ticks, store, send };
}
