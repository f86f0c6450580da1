import type { Pool } from "pg";
import { demandOfDay } from "@busbar/metering/demand.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { findFinishedDays, forgetOldDays, storeDays } from "./demand-rollup.store.ts";

const daySeconds = 86_400;
const batchSize = 500;
/** Beyond the 30 days of the daily figures, for people who ask about last year. */
const keptDays = 400;

/** Sums up each node's local day once it is over: average and peak stay, the day's blocks go. */
export function createDemandRollup(pool: Pool, clock: Clock): Task {
  return {
    name: "DemandRollup",
    intervalSeconds: 900,
    async run(signal) {
      let count = 0;
      while (!signal.aborted) {
        const nowMs = clock.now();
        const finished = await findFinishedDays(pool, nowMs / 1000, batchSize);
        if (finished.length === 0) break;
        const days = finished.map((day) => ({ ...day, figures: { ...demandOfDay(day.blocks, nowMs), lengthSeconds: day.lengthSeconds } }));
        await inTransaction(pool, (client) => storeDays(client, days));
        count += days.length;
      }
      await forgetOldDays(pool, clock.now() / 1000 - keptDays * daySeconds);
      return count;
    },
  };
}
