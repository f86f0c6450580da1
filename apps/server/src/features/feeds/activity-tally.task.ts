import { counted } from "@busbar/contract/counted.ts";
import type { Pool } from "#db/pool.ts";
import type { Task } from "#services/service.ts";
import { tallyActivities } from "./activity-tally.store.ts";

/** Keeps the counts by which the activity feed finds a page far down. */
export function createActivityTally(pool: Pool): Task {
  return {
    name: "ActivityTally",
    intervalSeconds: 30,
    async run(signal) {
      let processedCount = 0;
      for (let isMore = true; isMore && !signal.aborted;) {
        const round = await tallyActivities(pool);
        processedCount += round.counted;
        isMore = round.isMore;
      }
      return { processedCount, logEntry: processedCount === 0 ? "" : `Counted ${counted(processedCount, "block")} of activities` };
    },
  };
}
