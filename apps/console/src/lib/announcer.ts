import { useSyncExternalStore } from "react";

let text = "";
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets a screen reader say something once the reader is still; the page has one polite live region for all of it. */
export function announce(next: string): void {
  // The same words twice would be no change to a reader: a trailing space makes them one.
  text = next === text ? `${next}\u00A0` : next;
  for (const listener of listeners) listener();
}

export function useAnnouncement(): string {
  return useSyncExternalStore(subscribe, () => text);
}
