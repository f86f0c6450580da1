import { inTransaction } from "#db/transaction.ts";
import { formatLocalTime } from "#lib/local-time.ts";
import type { Task } from "#services/service.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findMissedData } from "./fleet-notices.store.ts";

/** SYS-07: elapsed time, whatever the clocks of the zone do. */
const missedAfterSeconds = 4 * 3_600;

/** After a start the nodes need a while to bring what they kept: until then nothing of theirs is missing. */
const graceSeconds = 1_800;

/**
 * An internal notice when a node's data files stay away; one for each time that they do.
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
        const to = await internalRecipients();
        for (const { serialNumber, locationName, facilityName, lastAt, hasFile, timezone } of missing) {
          const since = formatLocalTime(lastAt, timezone);
          await mail.enqueue(client, {
            kind: "MISSED_DATA",
            subject: `[${environment}] Missed data: ${locationName}, ${facilityName} (${serialNumber})`,
            body: hasFile
              ? `No data file of node ${serialNumber} has arrived for more than four hours.\n\nThe last one is of ${since}.\n`
              : `No data file of node ${serialNumber} has ever arrived. It is deployed since ${since}.\n`,
            to,
            dedupeKey: `MISSED_DATA ${serialNumber} ${lastAt}`,
          });
        }
        return missing.length;
      });
    },
  };
}
