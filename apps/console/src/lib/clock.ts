import { useSyncExternalStore } from "react";
import { serverClock } from "./server-clock.ts";

const listeners = new Set<() => void>();
let nowSeconds = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const readClock = (): number => Math.floor(serverClock.nowSeconds());

function start(): ReturnType<typeof setInterval> {
  nowSeconds = readClock();
  return setInterval(tick, 1000);
}

function tick(): void {
  nowSeconds = readClock();
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= start();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A value of the shared one-second clock, which is the server's; the component renders only when the value changes. */
export function useClock<T extends string | number | boolean>(read: (nowSeconds: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(timer === undefined ? readClock() : nowSeconds));
}
