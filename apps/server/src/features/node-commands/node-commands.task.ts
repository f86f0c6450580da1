import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { createNodeCommandsStore } from "./node-commands.store.ts";

const batchSize = 5_000;
const keptSeconds = 24 * 3_600;

/** Forgets commands to nodes a day after they were made: what they changed stands in the audit log. */
export function createNodeCommandPruner(pool: Pool, clock: Clock): Task {
  const store = createNodeCommandsStore(pool);
  return {
    name: "NodeCommandPruner",
    intervalSeconds: 3600,
    async run(signal) {
      let total = 0;
      for (let count = batchSize; count === batchSize && !signal.aborted; total += count) {
        count = await store.deleteBefore(clock.now() / 1000 - keptSeconds, batchSize);
      }
      return total;
    },
  };
}
