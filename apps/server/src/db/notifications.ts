import { setTimeout as wait } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { planned } from "./statement.ts";

export interface NotificationsOptions {
  pool: Pool;
  channel: string;
  /** The payload; undefined after a connection was made, when something may have been missed. */
  onNotification: (payload: string | undefined) => void;
  /** The database is away: called for each failed attempt. */
  onFailure?: (error: unknown) => void;
  retryMs?: number;
}

export interface Notifications {
  /** Returns once it listens, or once the first attempt failed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Listens on a connection of its own, which it makes again when it breaks. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { pool, channel, onNotification, onFailure, retryMs = 500 } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let first: Promise<void> | undefined;

  const listen = async (onListening: () => void): Promise<void> => {
    const client: PoolClient = await pool.connect();
    const ended = new Promise<unknown>((resolve) => {
      client.on("error", resolve);
      client.on("end", () => resolve(undefined));
      stopping.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    client.on("notification", ({ payload }) => onNotification(payload));
    try {
      await planned(client, "listen")`listen ${channel}`;
      onListening();
      onNotification(undefined);
      await ended;
    } finally {
      // Never back into the pool: it would go on listening.
      client.release(true);
    }
  };

  const run = async (onListening: () => void): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await listen(onListening);
      } catch (error) {
        onFailure?.(error);
        onListening();
      }
      await wait(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start() {
      first ??= new Promise((resolve) => {
        running = run(resolve);
      });
      return first;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
