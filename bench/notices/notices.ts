import { join } from "node:path";
import type { Pool } from "@busbar/server/db/pool.ts";
import { ensureSensorDataPartitions } from "@busbar/server/db/sensor-data-partitions.ts";
import { createDailyProgressReport } from "@busbar/server/features/office/daily-progress/daily-progress-report.task.ts";
import { createDigests } from "@busbar/server/features/alarms/digests/digests.service.ts";
import { createSubscriptionReport } from "@busbar/server/features/alarms/digests/subscription-report.task.ts";
import { createMissedDataMonitor } from "@busbar/server/features/alarms/fleet-notices/missed-data-monitor.task.ts";
import { createMailTransport } from "@busbar/server/features/alarms/mail/mail-transport.ts";
import { createMail } from "@busbar/server/features/alarms/mail/mail.service.ts";
import { createMailStore } from "@busbar/server/features/alarms/mail/mail.store.ts";
import { systemClock } from "@busbar/server/lib/clock.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { startFaultyMailServer } from "@busbar/server/testing/faulty-mail-server.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs, formatTimes } from "../lib/format-figure.ts";
import { openBenchDatabase } from "../lib/open-bench-database.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { seedFleet } from "../lib/seed-fleet.ts";

const daySeconds = 86_400;
const seededDays = 3;
const signal = new AbortController().signal;

/** What the services that notify people cost with a large fleet: when there is nothing to report, and when there is all at once. */
export async function benchNotices(context: BenchContext): Promise<Report> {
  const { isShort, folder, undo, say } = context;
  const nodes = isShort ? 500 : 10_000;
  const facilities = nodes / 25;
  say(`${formatCount(nodes)} nodes with ${seededDays} days of data`);
  await seedFleet({ dataDir: join(folder, "data"), nodes, connected: 0, also: (pool) => seedDays(pool) });
  const pool = await openBenchDatabase(context);
  const smtp = await startFaultyMailServer();
  undo.add(() => smtp.stop());
  const mail = createMail({
    store: createMailStore(pool),
    transport: createMailTransport(smtp.url, "bench@busbar.example"),
    clock: systemClock,
    log: silentLog,
    domain: "busbar.example",
    consoleUrl: () => "https://busbar.example",
  });
  const shared = {
    pool,
    clock: systemClock,
    mail,
    digests: createDigests(systemClock),
    internalRecipients: () => Promise.resolve(["desk@busbar.example"]),
    environment: "Bench",
  };
  const rows: [string, number, number][] = [];
  const measure = async (name: string, work: () => Promise<unknown>): Promise<number> => {
    say(name);
    const startedAt = performance.now();
    const count = Number(await work());
    rows.push([name, performance.now() - startedAt, count]);
    return count;
  };

  const daily = createDailyProgressReport(shared, 0);
  const reported = await measure("DailyProgressReport, all facilities at once", () => daily.run(signal));
  const again = await measure("DailyProgressReport, nothing to report", () => daily.run(signal));
  const missed = createMissedDataMonitor(shared, 0);
  await measure("MissedDataMonitor, nothing to report", () => missed.run(signal));
  await pool.query("update node_live set last_datafile_at = now() - interval '5 hours'");
  const missing = await measure("MissedDataMonitor, the whole fleet", () => missed.run(signal));
  const missedAgain = await measure("MissedDataMonitor, the whole fleet, reported already", () => missed.run(signal));
  await measure("SubscriptionReport, nothing to report", () => createSubscriptionReport(shared).run(signal));
  await pool.query(
    "insert into digest_item (user_id, facility_id, frequency, happened_at, added_at, line) " +
      "select u.id, f.id, 'Daily', now(), now() - interval '2 days', 'Over-voltage: a pump' from app_user u join facility f on f.customer_id = u.customer_id cross join generate_series(1, 20)",
  );
  await pool.query(
    "insert into facility_subscription select u.id, f.id, 'Daily' from app_user u join facility f on f.customer_id = u.customer_id on conflict do nothing",
  );
  const digests = await measure("SubscriptionReport, a digest for each customer", () => createSubscriptionReport(shared).run(signal));
  const sent = await measure("NotificationSender, all of these messages", () => mail.deliverDue(signal));

  const report = createReport(
    "notices",
    `services that notify people, ${formatCount(nodes)} nodes in ${formatCount(facilities)} facilities`,
  );
  const idle = rows[1]?.[1] ?? Number.NaN;
  report.tables.push({
    columns: ["service", "ms", "items", "ms an item", "against an idle daily report"],
    rows: rows.map(([name, ms, count]) => [
      name,
      formatMs(ms),
      formatCount(count),
      count === 0 ? "-" : formatMs(ms / count),
      formatTimes(ms / idle),
    ]),
  });
  report.facts = Object.fromEntries(rows.map(([name, ms]) => [`${name}, ms`, ms]));
  const customers = Math.ceil(nodes / 250);
  expectNone(report, "facilities without a report", facilities - reported);
  expectNone(report, "nodes of which missing data was not reported", nodes - missing);
  expectNone(report, "customers without a digest", customers - digests);
  expectNone(report, "reported twice", again + missedAgain);
  // Missing data of the whole fleet is one message: more than ten facilities have the same problem.
  expectNone(report, "messages that were not sent", facilities + 1 + customers - sent);
  return report;
}

/** Three days of data files of each node, and a subscriber of each customer. */
async function seedDays(pool: Pool): Promise<void> {
  const now = Date.now() / 1000;
  await ensureSensorDataPartitions(pool, [now - seededDays * daySeconds, now]);
  await pool.query("update node set current_deployment_status_updated_at = now() - interval '90 days'");
  await pool.query(
    `insert into app_user (username, email, customer_id, receive_daily_report, auto_subscribe_all_facilities)
     select code, code || '@mail.example', id, true, true from customer`,
  );
  await pool.query(
    `insert into sensor_data (serial_number, ts, interval_seconds, running_seconds, kwh, current_avg, power_kw_avg, data)
     select serial_number, t, 900, 600, 5, 40, 30, '{"currentMax":55.5}'
     from generate_series(date_trunc('hour', now()) - interval '${seededDays} days', now(), interval '15 minutes') t cross join node`,
  );
}
