import { setTimeout as pause } from "node:timers/promises";
import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { freshCode } from "../lib/fresh-code.ts";

export interface BatchCallerOptions {
  /** Address of the API. */
  base: string;
  token: string;
  pool: Pool;
  dataDir: string;
}

/** Makes, starts and watches batches, as the console does. */
export function createBatchCaller({ base, token, pool, dataDir }: BatchCallerOptions) {
  async function ask(method: string, path: string, body?: object): Promise<Batch> {
    const headers = { token, ...(body ? { "content-type": "application/json" } : {}) };
    const response = await fetch(`${base}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { data: Batch }).data;
  }

  return {
    find: (id: number) => ask("GET", `/batches/${id}`),
    create: (serials: readonly number[], key: string, value: string) =>
      ask("POST", "/batches", { serialNumbers: serials.map(String), values: [{ key, value }] }),
    start: async ({ id, hash }: Batch, pace: { atOnce: number; firstWave: number }) =>
      ask("POST", `/batches/${id}/start`, {
        hash,
        code: await freshCode(pool, dataDir),
        ...pace,
        perMinute: null,
        stopPercent: 100,
        startLocal: "",
      }),
    async until(id: number, state: Batch["state"]): Promise<Batch> {
      for (;;) {
        const batch = await ask("GET", `/batches/${id}`);
        if (batch.state === state) return batch;
        await pause(50);
      }
    },
  };
}
