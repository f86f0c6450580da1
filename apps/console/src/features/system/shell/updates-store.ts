import { Updates } from "@busbar/contract/system/updates.ts";
import { useSyncExternalStore } from "react";

let published: Updates | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** ENV-07: asked on every cycle; a failure is only logged, the next cycle asks again. */
export async function checkUpdates(): Promise<void> {
  try {
    const response = await fetch(`assets/updates.json?${Date.now()}`, { cache: "no-store" });
    if (!response.ok) throw new Error(`updates.json answered ${response.status}`);
    const updates = Updates.parse(await response.json());
    if (JSON.stringify(updates) === JSON.stringify(published)) return;
    published = updates;
    for (const listener of listeners) listener();
  } catch (error) {
    console.warn("The published version is not known", error);
  }
}

export function useUpdates(): Updates | undefined {
  return useSyncExternalStore(subscribe, () => published);
}
