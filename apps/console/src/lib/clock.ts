import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let nowSeconds = Math.floor(Date.now() / 1000);
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowSeconds = Math.floor(Date.now() / 1000);
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A value of the shared one-second clock; the component renders only when the value changes. */
export function useClock<T extends string | number | boolean>(read: (nowSeconds: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(timer === undefined ? Math.floor(Date.now() / 1000) : nowSeconds));
}
