import { createLatencies } from "./latencies.ts";
import type { LatencySummary } from "./latencies.ts";

/** Calls one after the other, each from request to the end of its answer; counts those that failed. */
export function createCallMeter(token: string, say: (text: string) => void) {
  let failed = 0;
  return {
    failed: () => failed,
    async measure(name: string, calls: number, addressOf: (index: number) => string): Promise<[string, LatencySummary]> {
      say(name);
      const latencies = createLatencies();
      for (let index = 0; index < calls; index++) {
        const startedAt = performance.now();
        const response = await fetch(addressOf(index), { headers: { token } });
        await response.arrayBuffer();
        latencies.add(performance.now() - startedAt);
        if (!response.ok) failed++;
      }
      return [name, latencies.summary()];
    },
  };
}
