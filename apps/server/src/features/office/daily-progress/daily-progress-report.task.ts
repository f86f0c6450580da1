import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { findUnreported, takeUnreported } from "#shared/reported-notices.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import { outagesBetween } from "#lib/platform-outages.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { findReportedFacilities, findReportedNodes, readDayFigures, type ReportedFacility } from "./daily-progress.store.ts";
import { dayOfDate, reportDate } from "./report-day.ts";
import { reportText, type NodeProgress } from "./report-text.ts";

const name = "DailyProgressReport";
const kind = "DAILY_PROGRESS";
/** After a start the nodes need a while to send what they kept: until then their day is not complete. */
const graceSeconds = 1_800;
const facilitiesPerBatch = 100;

export interface DailyProgressDependencies {
  pool: Pool;
  clock: Clock;
  mail: Pick<Mail, "enqueue">;
  environment: string;
}

/**
 * Each facility's figures of the day before, at 06:00 where it is, to those of its subscribers who want a daily report. Once for a facility and
 * day, also when a server comes late or several ask; a day that was missed altogether stays unreported.
 * @param upSince epoch seconds since when nodes can deliver; by default from now on
 */
export function createDailyProgressReport(
  { pool, clock, mail, environment }: DailyProgressDependencies,
  upSince = clock.now() / 1000,
): Task {
  async function report({ facility, date, period }: { facility: ReportedFacility; date: string; period: number }): Promise<boolean> {
    return await inTransaction(pool, async (client) => {
      const now = clock.now() / 1000;
      const { facilityId, facilityName, to, bcc } = facility;
      if ((await takeUnreported(client, kind, [{ objectId: facilityId, period }], now)).size === 0) return false;
      // No one subscribed: the day counts as reported, so that a later subscriber begins with the next one.
      if (to.length + bcc.length === 0) return false;
      const nodes = await progressOf(client, facilityId, date, now);
      if (nodes.length === 0) return false;
      await mail.enqueue(client, {
        kind,
        subject: `[${environment}] Daily progress: ${facilityName}, ${date}`,
        body: reportText(facility, date, nodes),
        to,
        bcc,
        dedupeKey: `${kind} ${facilityId} ${date}`,
      });
      return true;
    });
  }

  return {
    name,
    intervalSeconds: 3_600,
    offsetSeconds: 0,
    did: (count) => `Sent ${counted(count, "report")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      if (now - upSince < graceSeconds) return 0;
      const walk = startWalk({ pool, clock, service: name, signal });
      const sent = await walk.over({
        items: await findReportedFacilities(pool),
        kind: "facility",
        idOf: ({ facilityId }) => facilityId,
        batchSize: facilitiesPerBatch,
        async work(facilities) {
          const dated = facilities.map((facility) => {
            const date = reportDate(facility.timezones, now);
            return { facility, date, objectId: facility.facilityId, period: Date.parse(date) / 1000 };
          });
          let count = 0;
          for (const due of await findUnreported(pool, kind, dated)) if (!signal.aborted && (await report(due))) count++;
          return count;
        },
      });
      return walk.end(sent);
    },
  };
}

/** Of nodes that were deployed before the day's end. */
async function progressOf(client: PoolClient, facilityId: number, date: string, now: number): Promise<NodeProgress[]> {
  const nodes = (await findReportedNodes(client, facilityId)).flatMap((node) => {
    const day = dayOfDate(node.timezone, date, now);
    return node.deployedAt < day.end ? [{ ...node, date, start: day.start, end: day.end }] : [];
  });
  const outages = outagesBetween(await createIngestPresenceStore(client).periods(), now);
  const figures = await readDayFigures(client, nodes, outages);
  return nodes.flatMap(({ serialNumber, locationName, intervalSeconds, start, end, deployedAt }) => {
    const ofNode = figures.get(serialNumber);
    const expectedRecords = Math.floor((end - Math.max(start, deployedAt)) / intervalSeconds);
    return ofNode ? [{ ...ofNode, locationName, expectedRecords }] : [];
  });
}
