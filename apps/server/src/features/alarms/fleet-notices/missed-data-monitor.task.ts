import { counted } from "@busbar/contract/values/counted.ts";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { takeUnreported } from "#shared/reported-notices.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findMissedData, type MissedData } from "./fleet-notices.store.ts";
import { internalNotices, type NoticeWords } from "./notice-words.ts";

/** SYS-07: elapsed time, whatever the clocks of the zone do. */
const missedAfterSeconds = 4 * 3_600;

/** After a start the nodes need a while to send what they kept: until then nothing of theirs is missing. */
const graceSeconds = 1_800;
const name = "MissedDataMonitor";

/**
 * An internal notice when data files of nodes stay away: one for each time that they do, and one for all nodes of a facility together.
 * @param upSince epoch seconds since when nodes can deliver; by default from now on
 */
export function createMissedDataMonitor(
  { pool, clock, mail, internalRecipients, environment }: FleetNoticesDependencies,
  upSince = clock.now() / 1000,
): Task {
  return {
    name,
    intervalSeconds: 300,
    did: (count) => `Reported missing data of ${counted(count, "node")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      if (now - upSince < graceSeconds) return 0;
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: await findMissedData(pool, now - missedAfterSeconds, now),
        kind: "node",
        idOf: ({ serialNumber }) => serialNumber,
        work: (missing) => report(missing, now),
      });
      return walk.end(count);
    },
  };

  async function report(missing: readonly MissedData[], now: number): Promise<number> {
    return await inTransaction(pool, async (client) => {
      const keys = missing.map(({ serialNumber, lastAt }) => ({ objectId: serialNumber, period: lastAt }));
      const unreported = await takeUnreported(client, "MISSED_DATA", keys, now);
      const to = await internalRecipients();
      for (const { subject, body } of internalNotices(
        missing.filter(({ serialNumber }) => unreported.has(serialNumber)),
        words,
      ))
        await mail.enqueue(client, { kind: "MISSED_DATA", subject: `[${environment}] Missed data: ${subject}`, body, to });
      return unreported.size;
    });
  }
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
