import { formatLocalTime } from "@busbar/contract/format-local-time.ts";
import { takeUntold } from "#db/notice-told.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findMissedData } from "./fleet-notices.store.ts";
import type { MissedData } from "./fleet-notices.store.ts";
import { internalNotices } from "./notice-words.ts";
import type { NoticeWords } from "./notice-words.ts";

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
        for (const { subject, body } of internalNotices(
          missing.filter(({ serialNumber }) => untold.has(serialNumber)),
          words,
        ))
          await mail.enqueue(client, { kind: "MISSED_DATA", subject: `[${environment}] Missed data: ${subject}`, body, to });
        return untold.size;
      });
    },
  };
}

const since = ({ lastAt, timezone }: MissedData): string => formatLocalTime(lastAt, timezone);

const words: NoticeWords<MissedData> = {
  ofOne: (node) =>
    node.hasFile
      ? `No data file of node ${node.serialNumber} has arrived for more than four hours.\n\nThe last one is of ${since(node)}.\n`
      : `No data file of node ${node.serialNumber} has ever arrived. It is deployed since ${since(node)}.\n`,
  ofMany: (nodes) => `No data files of ${nodes} have arrived for more than four hours.`,
  each: (node) => (node.hasFile ? `last ${since(node)}` : `never, deployed since ${since(node)}`),
};
