import type { Pool } from "pg";
import { createNotifications } from "#db/notifications.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { commandMessage } from "./command-message.ts";
import { commandChannel } from "./node-command.ts";
import { createWaitingCommandsStore } from "./waiting-commands.store.ts";

export interface CommandDispatcherOptions {
  pool: Pool;
  clock: Clock;
  log: Log;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Whether what is published now reaches the nodes; what cannot be sent stays for another process or a later moment. */
  canPublish: () => boolean;
}

export interface CommandDispatcher {
  start(): void;
  stop(): Promise<void>;
}

const batchSize = 100;
// Notifications may be lost with their connection.
const pollMs = 1_000;

/** Hands the commands that wait in the database to their nodes. Runs beside ingest, which stores the answers. */
export function createCommandDispatcher({ pool, clock, log, publishCommand, canPublish }: CommandDispatcherOptions): CommandDispatcher {
  const store = createWaitingCommandsStore(pool);
  const limitedLog = createLimitedLog(log, clock);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRequested = false;
  const stopping = new AbortController();

  const noteFailure = (error: unknown) => limitedLog("warn", "node-commands", { err: error }, "commands to nodes wait for the database");

  const dispatch = async (): Promise<void> => {
    while (isRequested && !stopping.signal.aborted && canPublish()) {
      isRequested = false;
      const commands = await store.take(batchSize);
      if (commands.length === batchSize) isRequested = true;
      for (const command of commands) {
        if (!command.isSendable) continue;
        const { topic, payload } = commandMessage(command, clock.now());
        publishCommand(topic, payload);
      }
    }
  };
  const wake = () => {
    isRequested = true;
    running ??= dispatch()
      .catch(noteFailure)
      .finally(() => {
        running = undefined;
      });
  };
  const notifications = createNotifications({ pool, channel: commandChannel, onNotification: wake, onFailure: noteFailure });

  return {
    start() {
      void notifications.start();
      timer = setInterval(wake, pollMs);
      timer.unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await notifications.stop();
      await running;
    },
  };
}
