import { takeUntold } from "#db/notice-told.store.ts";
import { inTransaction } from "#db/transaction.ts";
import { formatLocalTime } from "#lib/local-time.ts";
import type { Task } from "#services/service.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findMissedData } from "./fleet-notices.store.ts";
import type { MissedData } from "./fleet-notices.store.ts";
import { byFacility, listOf, subjectOf } from "./notice-words.ts";

/** SYS-07: elapsed time, whatever the clocks of the zone do. */
const missedAfterSeconds = 4 * 3_600;

/** After a start the nodes need a while to bring what they kept: until then nothing of theirs is missing. */
const graceSeconds = 1_800;

/**
 * An internal notice when data files of nodes stay away: one for each time that they do, and one for all nodes of a facility together.
 * @param upSince epoch seconds since when nodes can deliver; by default from now on
 */
export function createMissedDataMonitor(
  { pool, clock, mail, internalRecipients, environment }: FleetNoticesDependencies,
  upSince = clock.now() / 1000,
): Task {
  return {
    name: "MissedDataMonitor",
    intervalSeconds: 300,
    async run() {
      const now = clock.now() / 1000;
      if (now - upSince < graceSeconds) return 0;
      return await inTransaction(pool, async (client) => {
        const missing = await findMissedData(client, now - missedAfterSeconds);
        if (missing.length === 0) return 0;
        const keys = missing.map(({ serialNumber, lastAt }) => ({ objectId: serialNumber, period: lastAt }));
        const untold = await takeUntold(client, "MISSED_DATA", keys, now);
        const to = await internalRecipients();
        for (const nodes of byFacility(missing.filter(({ serialNumber }) => untold.has(serialNumber)))) {
          await mail.enqueue(client, {
            kind: "MISSED_DATA",
            subject: `[${environment}] Missed data: ${subjectOf(nodes)}`,
            body: bodyOf(nodes),
            to,
          });
        }
        return untold.size;
      });
    },
  };
}

function bodyOf(nodes: readonly MissedData[]): string {
  const [first] = nodes;
  if (first && nodes.length === 1) {
    const since = formatLocalTime(first.lastAt, first.timezone);
    return first.hasFile
      ? `No data file of node ${first.serialNumber} has arrived for more than four hours.\n\nThe last one is of ${since}.\n`
      : `No data file of node ${first.serialNumber} has ever arrived. It is deployed since ${since}.\n`;
  }
  const lines = listOf(nodes, ({ hasFile, lastAt, timezone }) => {
    const since = formatLocalTime(lastAt, timezone);
    return hasFile ? `last ${since}` : `never, deployed since ${since}`;
  });
  return [`No data files of ${nodes.length} nodes at ${first?.facilityName} have arrived for more than four hours.`, "", ...lines, ""].join(
    "\n",
  );
}
