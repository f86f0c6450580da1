import { counted } from "@busbar/contract/values/counted.ts";
import { takeUnreported } from "#shared/reported-notices.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { FleetNoticesDependencies } from "./connectivity-monitor.task.ts";
import { findDriftingClocks, type DriftingClock } from "./fleet-notices.store.ts";
import { internalNotices, type NoticeWords } from "./notice-words.ts";

const name = "NodeClockMonitor";
const tolerableSkewMs = 2_000;
const daySeconds = 86_400;

/** An internal notice about clocks that are off: at most once a node and day, one for all nodes of a facility together. */
export function createNodeClockMonitor({ pool, clock, mail, internalRecipients, environment }: FleetNoticesDependencies): Task {
  return {
    name,
    intervalSeconds: 600,
    did: (count) => `Reported the clocks of ${counted(count, "node")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: await findDriftingClocks(pool, tolerableSkewMs, clock.now() / 1000),
        kind: "node",
        idOf: ({ serialNumber }) => serialNumber,
        work: report,
      });
      return walk.end(count);
    },
  };

  async function report(drifting: readonly DriftingClock[]): Promise<number> {
    const now = clock.now() / 1000;
    const today = Math.floor(now / daySeconds) * daySeconds;
    return await inTransaction(pool, async (client) => {
      const keys = drifting.map(({ serialNumber }) => ({ objectId: serialNumber, period: today }));
      const unreported = await takeUnreported(client, "CLOCK_DRIFT", keys, now);
      const to = await internalRecipients();
      for (const { subject, body } of internalNotices(
        drifting.filter(({ serialNumber }) => unreported.has(serialNumber)),
        words,
      ))
        await mail.enqueue(client, { kind: "CLOCK_DRIFT", subject: `[${environment}] Clock drift: ${subject}`, body, to });
      return drifting.length;
    });
  }
}

const offBy = ({ skewMs }: DriftingClock) => `${Math.abs(skewMs / 1000).toFixed(1)} s ${skewMs > 0 ? "ahead" : "behind"}`;

const words: NoticeWords<DriftingClock> = {
  ofOne: (node) => `The clock of node ${node.serialNumber} is ${offBy(node)}.\n`,
  ofMany: (nodes) => `The clocks of ${nodes} are off.`,
  each: offBy,
};
