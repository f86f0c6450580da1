import type { Pool, PoolClient } from "pg";
import { watchPeer } from "#db/watch-peer.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import type { ContinuousService } from "./service.ts";
import { createServiceStore } from "./service.store.ts";

const noteEveryMs = 10_000;
const sameLineEveryMs = 600_000;

export interface ContinuousServicesOptions {
  pool: Pool;
  services: readonly ContinuousService[];
  clock: Clock;
  log: Log;
}

/** Shows what runs all the time among the services: that it runs is shown by a lock that ends with the process. */
export function createContinuousServices({ pool, services, clock, log }: ContinuousServicesOptions) {
  const store = createServiceStore(pool);
  const limitedLog = createLimitedLog(log, clock, sameLineEveryMs);
  const noted = new Map<string, number>();
  let connection: PoolClient | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function connect(): Promise<void> {
    if (connection) return;
    const client = await pool.connect();
    client.on("error", () => drop(client));
    connection = client;
    await watchPeer(client);
    for (const service of services) {
      await store.registerContinuous(service, clock.now() / 1000);
      await store.lockShared(client, service.name);
    }
  }

  function drop(client: PoolClient): void {
    if (connection !== client) return;
    connection = undefined;
    client.release(true);
  }

  async function tick(): Promise<void> {
    try {
      await connect();
      for (const service of services) {
        const total = await service.processed();
        const processedCount = total - (noted.get(service.name) ?? 0);
        const did = processedCount === 0 ? "" : service.did(processedCount);
        await store.noteProgress(service.name, clock.now() / 1000, { processedCount, did, problem: service.problem() ?? "" });
        noted.set(service.name, total);
      }
    } catch (error) {
      limitedLog("warn", "database", { err: error }, "continuous services wait for the database");
      if (connection) drop(connection);
    }
  }

  function loop(): void {
    running = tick().finally(() => {
      if (!isStopped) timer = setTimeout(loop, noteEveryMs);
    });
  }

  return {
    tick,
    start: loop,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
      if (connection) drop(connection);
    },
  };
}
