import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "#db/pool.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { findBlocksToTally, settleBlocks, tallyBlocks } from "./activity-tally.store.ts";

const name = "ActivityTally";
const blocksPerBatch = 50;

/** Keeps the counts by which the activity feed finds a page far down. A block that cannot be counted is missing there until it can. */
export function createActivityTally(pool: Pool, clock: Clock): Task {
  return {
    name,
    intervalSeconds: 30,
    did: (count) => `Counted ${counted(count, "block")} of activities`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const each = { kind: "block", idOf: (block: number) => block, work: (blocks: readonly number[]) => tallyBlocks(pool, blocks) };
      const blocks = await findBlocksToTally(pool);
      const processedCount = await walk.over({ ...each, items: blocks, batchSize: blocksPerBatch });
      const last = blocks.at(-1);
      if (last !== undefined && !signal.aborted) await settleBlocks(pool, last + 1);
      const again = (await walk.due("block")).map(Number);
      const more = await walk.over({ ...each, items: again, batchSize: 1 });
      const count = processedCount + more;
      return walk.end(count);
    },
  };
}
