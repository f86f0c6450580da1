import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { findUnreported, takeUnreported } from "#shared/reported-notices.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { findDigestUsers, takeDigest, type DigestFacility, type DigestFrequency } from "./digests.store.ts";

const name = "SubscriptionReport";
const daySeconds = 86_400;
// 06:00 where most customers are (US Central, standard time): a day that no change of clocks makes longer or shorter.
const digestSecondOfDay = 12 * 3_600;
// The epoch began on a Thursday.
const mondayOffset = 4 * daySeconds;
const periods: Record<DigestFrequency, { seconds: number; offset: number }> = {
  Daily: { seconds: daySeconds, offset: digestSecondOfDay },
  Weekly: { seconds: 7 * daySeconds, offset: mondayOffset + digestSecondOfDay },
};
const longestList = 100;

export interface SubscriptionReportDependencies {
  pool: Pool;
  clock: Clock;
  mail: Pick<Mail, "enqueue">;
  environment: string;
}

/**
 * Digests for who subscribes Daily or Weekly: one message with all that was reported in the period, none when nothing was. What was added until the
 * period ended goes into its message and out of the list in one transaction; what comes later waits for the next.
 */
export function createSubscriptionReport({ pool, clock, mail, environment }: SubscriptionReportDependencies): Task {
  async function sendOne(userId: number, frequency: DigestFrequency, end: number): Promise<boolean> {
    return await inTransaction(pool, async (client) => {
      const unreported = await takeUnreported(client, `DIGEST_${frequency}`, [{ objectId: userId, period: end }], clock.now() / 1000);
      if (unreported.size === 0) return false;
      const facilities = await takeDigest(client, userId, frequency, end);
      const [first] = facilities;
      if (!first) return false;
      await mail.enqueue(client, {
        kind: "SUBSCRIPTION_REPORT",
        subject: `[${environment}] ${frequency} digest: ${countOf(facilities)}`,
        body: bodyOf(frequency, end, facilities),
        to: [first.email],
      });
      return true;
    });
  }

  return {
    name,
    intervalSeconds: daySeconds,
    offsetSeconds: digestSecondOfDay,
    did: (count) => `Sent ${counted(count, "report")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      let count = 0;
      for (const frequency of ["Daily", "Weekly"] as const) {
        const end = lastEnd(frequency, clock.now() / 1000);
        const users = await findDigestUsers(pool, frequency, end);
        const due = await findUnreported(
          pool,
          `DIGEST_${frequency}`,
          users.map((objectId) => ({ objectId, period: end })),
        );
        count += await walk.over({
          items: due.map(({ objectId }) => objectId),
          kind: "user",
          idOf: (userId) => userId,
          batchSize: 1,
          work: async ([userId]) => (userId !== undefined && (await sendOne(userId, frequency, end)) ? 1 : 0),
        });
      }
      return walk.end(count);
    },
  };
}

/** Epoch seconds of the newest end of a period: 12:00 UTC of each day, or of each Monday. */
function lastEnd(frequency: DigestFrequency, now: number): number {
  const { seconds, offset } = periods[frequency];
  return Math.floor((now - offset) / seconds) * seconds + offset;
}

function countOf(facilities: readonly DigestFacility[]): string {
  const messages = facilities.reduce((sum, { lines }) => sum + lines.length, 0);
  const [first] = facilities;
  const where = facilities.length === 1 ? first?.facilityName : counted(facilities.length, "facility");
  return `${counted(messages, "message")}, ${where}`;
}

function bodyOf(frequency: DigestFrequency, end: number, facilities: readonly DigestFacility[]): string {
  const until = new Date(end * 1000).toISOString().slice(0, 16).replace("T", " ");
  const parts = facilities.map(({ facilityName, customerName, lines }) => {
    const more = lines.length - longestList;
    return [
      `${facilityName}, ${customerName}`,
      ...lines.slice(0, longestList).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
  return [
    `What was reported of your facilities in the ${frequency === "Daily" ? "day" : "week"} until ${until} UTC.`,
    ...parts.flatMap((lines) => ["", ...lines]),
    "",
  ].join("\n");
}
