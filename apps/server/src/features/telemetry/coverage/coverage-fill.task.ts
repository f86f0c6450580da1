import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { CoverageFillStore } from "./coverage-fill.store.ts";

const name = "CoverageFill";
const findSize = 200;
const nodesPerBatch = 10;

/** After an update: puts what came before into the coverage, node by node; it goes on where it was ended, and has nothing to do then. */
export function createCoverageFill(pool: Pool, store: CoverageFillStore, clock: Clock): Task {
  return {
    name,
    intervalSeconds: 60,
    did: (count) => `Put in ${counted(count, "node")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const total = await walk.throughQueue({
        kind: "node",
        find: (ids) => store.findWaiting(findSize, ids),
        idOf: (serial) => serial,
        batchSize: nodesPerBatch,
        async work(serials) {
          await inTransaction(pool, (client) => store.fill(client, serials));
          return serials.length;
        },
        findSize,
      });
      return walk.end(total);
    },
  };
}
