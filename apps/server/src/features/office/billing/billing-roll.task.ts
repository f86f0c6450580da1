import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { takeUnreported } from "#shared/reported-notices.store.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { billLines, type BillLines, type BillTerms } from "./bill-lines.ts";
import type { Day } from "./bill-period.ts";
import type { BillingReadModel } from "./billing.read-model.ts";
import type { BillingSettings } from "./billing-settings.ts";

const name = "BillingRoll";
const daySeconds = 86_400;
const rollSecondOfDay = 8 * 3_600;

export interface BillingRollDependencies {
  pool: Pool;
  clock: Clock;
  mail: Pick<Mail, "enqueue">;
  readModel: BillingReadModel;
  settings: () => Promise<BillingSettings>;
  /** Who is notified, and how many days before paid time ends. */
  notices: () => Promise<{ recipients: readonly string[]; days: number }>;
  environment: string;
}

/**
 * Reports that a bill can be made: each time that the paid time of some of an organisation's locations ends soon, once. The bill itself is a
 * person's act.
 */
export function createBillingRoll({ pool, clock, mail, readModel, settings, notices, environment }: BillingRollDependencies): Task {
  async function report(
    organization: { id: number; name: string },
    terms: BillTerms,
    lines: BillLines,
    dueBy: Day,
    to: readonly string[],
  ): Promise<boolean> {
    const due = dueDates(lines, dueBy);
    if (due.size === 0) return false;
    return await inTransaction(pool, async (client) => {
      const keys = [...due.keys()].map((day) => ({ objectId: organization.id, period: Date.parse(day) / 1000 }));
      // What no one paid stays due for years.
      const unreported = await takeUnreported(client, "BILL_READY", keys, clock.now() / 1000, "keep the past");
      if (unreported.size === 0) return false;
      await mail.enqueue(client, {
        kind: "BILL_READY",
        subject: `[${environment}] Bill ready: ${organization.name}`,
        screen: "billing",
        body: (link) => bodyOf(organization.name, terms, lines, due, link),
        to,
      });
      return true;
    });
  }

  return {
    name,
    intervalSeconds: daySeconds,
    offsetSeconds: rollSecondOfDay,
    did: (count) => `Reported a bill to be made for ${counted(count, "organization")}`,
    async run(signal) {
      const [{ rates }, { recipients, days }] = await Promise.all([settings(), notices()]);
      const terms = usualTerms(clock.now());
      const dueBy = dayOf(clock.now() + days * daySeconds * 1000);
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: await readModel.organizations(),
        kind: "organization",
        idOf: ({ id }) => id,
        batchSize: 1,
        async work([organization]) {
          if (!organization) return 0;
          const lines = billLines(await readModel.locations(organization.id), rates, terms);
          return (await report(organization, terms, lines, dueBy, recipients)) ? 1 : 0;
        },
      });
      return walk.end(count);
    },
  };
}

const dayOf = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** What the page Generate a Bill begins with (REP-01). */
function usualTerms(nowMs: number): BillTerms {
  const year = new Date(nowMs).getUTCFullYear();
  return { paidThruDate: `${year}-12-31`, billToDate: `${year + 1}-12-31`, voltaEnergy: false };
}

/** Ends of paid time that come soon or are past, with the number of their locations; earliest first. */
function dueDates({ billingFacilityItems }: BillLines, dueBy: Day): Map<Day, number> {
  const dates = billingFacilityItems.flatMap(({ billingLocationItems }) => billingLocationItems.map(({ paidThruDate }) => paidThruDate));
  const due = dates.filter((date) => date <= dueBy).toSorted();
  return new Map([...Map.groupBy(due, (date) => date)].map(([date, all]) => [date, all.length]));
}

function bodyOf(name: string, terms: BillTerms, lines: BillLines, due: ReadonlyMap<Day, number>, url: string): string {
  const all = lines.billingFacilityItems.reduce((sum, { billingLocationItems }) => sum + billingLocationItems.length, 0);
  const total = (lines.amountTotal / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  return [
    `A bill for ${name} can be made.`,
    "",
    "Paid time ends:",
    ...[...due].map(([date, count]) => `  ${date}  ${counted(count, "location")}`),
    "",
    `With Paid Thru ${terms.paidThruDate} and Bill To ${terms.billToDate} the bill has ${counted(all, "location")} and comes to $${total}, without energy.`,
    `${counted(lines.leftOut.length, "location is", "locations are")} left out; the bill says why.`,
    "",
    `Make it here: ${url}`,
    "",
  ].join("\n");
}
