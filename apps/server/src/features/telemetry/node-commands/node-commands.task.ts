import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { createNodeCommandsStore } from "./node-commands.store.ts";

const name = "NodeCommandPruner";
const batchSize = 5_000;
const keptSeconds = 24 * 3_600;

/** Forgets commands to nodes a day after they were made: what they changed is in the audit log. */
export function createNodeCommandPruner(pool: Pool, clock: Clock): Task {
  const store = createNodeCommandsStore(pool);
  return {
    name,
    intervalSeconds: 3600,
    did: (count) => `Forgot ${counted(count, "command")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const before = clock.now() / 1000 - keptSeconds;
      const total = await walk.throughQueue({
        kind: "command",
        find: (ids) => store.findBefore(before, batchSize, ids),
        idOf: (id) => id,
        work: (ids) => store.delete(ids),
        findSize: batchSize,
      });
      return walk.end(total);
    },
  };
}
