import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findDriftingClocks } from "./fleet-notices.store.ts";

const tolerableSkewMs = 2_000;

/** An internal notice about clocks that are off, at most one a node and day. */
export function createNodeClockMonitor({ pool, clock, mail, internalRecipients, environment }: FleetNoticesDependencies): Task {
  return {
    name: "NodeClockMonitor",
    intervalSeconds: 600,
    async run() {
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return await inTransaction(pool, async (client) => {
        const drifting = await findDriftingClocks(client, tolerableSkewMs);
        if (drifting.length === 0) return 0;
        const to = await internalRecipients();
        for (const { serialNumber, locationName, facilityName, skewMs } of drifting) {
          await mail.enqueue(client, {
            kind: "CLOCK_DRIFT",
            subject: `[${environment}] Clock drift: ${locationName}, ${facilityName} (${serialNumber})`,
            body: `The clock of node ${serialNumber} is ${Math.abs(skewMs / 1000).toFixed(1)} s ${skewMs > 0 ? "ahead" : "behind"}.\n`,
            to,
            dedupeKey: `CLOCK_DRIFT ${serialNumber} ${day}`,
          });
        }
        return drifting.length;
      });
    },
  };
}
