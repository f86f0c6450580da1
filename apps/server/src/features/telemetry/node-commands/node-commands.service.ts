import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { createNotifications } from "#db/notifications.ts";
import { outcomeChannel, type CommandOutcome, type NewNodeCommand } from "./node-command.ts";
import { createNodeCommandsStore } from "./node-commands.store.ts";

// A notification may be lost with its connection.
const pollMs = 1_000;

/**
 * Sends commands to nodes from any process: the database carries them to a process that speaks with the node, and carries back what
 * became of them.
 */
export function createNodeCommands(pool: Pool) {
  const store = createNodeCommandsStore(pool);
  const wakers = new Map<string, () => void>();
  const notifications = createNotifications({
    pool,
    channel: outcomeChannel,
    onNotification(id) {
      if (id === undefined) for (const wake of wakers.values()) wake();
      else wakers.get(id)?.();
    },
  });

  const follow = async (id: string, deadline: number): Promise<CommandOutcome> => {
    for (;;) {
      const left = deadline - performance.now();
      // Made before the look: what changes after it wakes.
      const woken = waitForWake(wakers, id, Math.min(left, pollMs));
      const outcome = left > 0 ? await store.outcome(id) : await store.giveUp(id);
      if (outcome) return outcome;
      await woken;
    }
  };

  return {
    /** Resolves with what became of the command, after `timeoutMs` at the latest. */
    async send(command: NewNodeCommand): Promise<CommandOutcome> {
      const id = command.id ?? randomUUID();
      await notifications.start();
      const deadline = performance.now() + command.timeoutMs;
      if (!(await store.insert(id, command))) return { state: "not-sent", reason: "busy" };
      try {
        return await follow(id, deadline);
      } finally {
        wakers.get(id)?.();
        wakers.delete(id);
      }
    },
    /** What became of a command that another process sent; undefined when no one knows it any more. */
    async settle(id: string): Promise<CommandOutcome | undefined> {
      const leftMs = await store.timeLeft(id);
      if (leftMs === undefined) return undefined;
      await notifications.start();
      try {
        return await follow(id, performance.now() + leftMs);
      } finally {
        wakers.delete(id);
      }
    },
    isWriteUnderWay: (serialNumber: number) => store.isWriteUnderWay(serialNumber),
    stop: () => notifications.stop(),
  };
}
export type NodeCommands = ReturnType<typeof createNodeCommands>;

function waitForWake(wakers: Map<string, () => void>, id: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    wakers.set(id, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
