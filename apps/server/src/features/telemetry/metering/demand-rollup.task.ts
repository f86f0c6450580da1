import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { demandOfDay } from "@busbar/metering/demand.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { findFinishedDays, findNodesWithBlocks, forgetOldDays, storeDays } from "./demand-rollup.store.ts";

const daySeconds = 86_400;
const name = "DemandRollup";
const nodesPerBatch = 500;
/** Beyond the 30 days of the daily figures, for people who ask about last year. */
const keptDays = 400;

/** Sums up each node's local day once it is over: average and peak stay, the day's blocks go. */
export function createDemandRollup(pool: Pool, clock: Clock): Task {
  return {
    name,
    intervalSeconds: 900,
    did: (count) => `Summed up ${counted(count, "day")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: await findNodesWithBlocks(pool),
        kind: "node",
        idOf: (serial) => serial,
        batchSize: nodesPerBatch,
        async work(serials) {
          const nowMs = clock.now();
          const finished = await findFinishedDays(pool, serials, nowMs / 1000);
          const days = finished.map((day) => ({
            ...day,
            figures: { ...demandOfDay(day.blocks, nowMs), lengthSeconds: day.lengthSeconds },
          }));
          if (days.length > 0) await inTransaction(pool, (client) => storeDays(client, days));
          return days.length;
        },
      });
      await forgetOldDays(pool, clock.now() / 1000 - keptDays * daySeconds);
      return walk.end(count);
    },
  };
}
