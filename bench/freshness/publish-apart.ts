import { setTimeout as pause } from "node:timers/promises";
import type { Helper } from "../lib/helper-process.ts";
import type { NodeLoad } from "../node-load/node-load.ts";

// Never in step with the polls, and rarely enough that each value is seen before the next.
const minPauseMs = 4_000;
const maxPauseMs = 6_000;

export interface Publication {
  serial: number;
  atMs: number;
}

/** Every node publishes at its own random times. */
export async function publishApart(load: Helper<NodeLoad>, serials: readonly number[], seconds: number): Promise<Publication[]> {
  const publications: Publication[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const publishAll = async (serial: number) => {
    // The first ones are spread as well.
    for (
      let waitMs = Math.random() * minPauseMs;
      performance.now() + waitMs < endsAt;
      waitMs = minPauseMs + Math.random() * (maxPauseMs - minPauseMs)
    ) {
      await pause(waitMs);
      publications.push({ serial, atMs: await load.call("publishOne", { serial }) });
    }
  };
  await Promise.all(serials.map(publishAll));
  return publications;
}
