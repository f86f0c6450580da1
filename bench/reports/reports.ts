import type { Pool } from "@busbar/server/db/pool.ts";
import type { Bill } from "@busbar/contract/office/billing.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs, formatTimes } from "../lib/format-figure.ts";
import { median } from "../lib/latencies.ts";
import { processUsage } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { startFleetServer } from "../lib/fleet-server.ts";

const billQuery = "billDate=2027-12-31&paidThruDate=2026-12-31";

/** P13: a bill of 1,000 lines as figures and as PDF, and users.csv of 50,000 users, beside the same calls with next to nothing in them. */
export async function benchReports(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const lines = isShort ? 100 : 1_000;
  const users = isShort ? 200 : 50_000;
  const times = isShort ? 1 : 5;
  const { server, token } = await startFleetServer(context, { nodes: lines, seed: (pool) => seedAccounts(pool, users) });
  const headers = { token, authorization: `Bearer ${token}` };
  const v2 = `${server.urls.console}/api/v2`;
  let failed = 0;
  const ask = async <T>(address: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(address, {
      ...init,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    });
    if (!response.ok) failed++;
    return ((await response.json()) as { data: T }).data;
  };
  const timed = async (name: string, work: () => Promise<unknown>): Promise<number> => {
    say(name);
    await work(); // what is slow only once is not what people wait for every day
    const taken: number[] = [];
    for (let time = 0; time < times; time++) {
      const startedAt = performance.now();
      await work();
      taken.push(performance.now() - startedAt);
    }
    return median(taken);
  };

  const [large, empty] = await ask<{ id: number }[]>(`${v2}/billing/organizations`);
  const bill = await ask<Bill>(`${v2}/billing/organizations/${large?.id}/bill?${billQuery}`);
  const emptyBill = await ask<Bill>(`${v2}/billing/organizations/${empty?.id}/bill?${billQuery}`);
  const report = createReport("reports", "bill and user list, from request to answer");
  const lineCount = bill.billingFacilityItems.reduce((sum, { billingLocationItems }) => sum + billingLocationItems.length, 0);
  if (lineCount !== lines) report.failures.push(`the bill has ${lineCount} lines instead of ${lines}`);

  const base = `${v2}/billing/organizations`;
  const figures = await timed("the bill's figures", () => ask(`${base}/${large?.id}/bill?${billQuery}`));
  const noFigures = await timed("an empty bill's figures", () => ask(`${base}/${empty?.id}/bill?${billQuery}`));
  const pdf = await timed("the bill's PDF", () => ask(`${v2}/billing/pdf`, bill));
  const noPdf = await timed("an empty bill's PDF", () => ask(`${v2}/billing/pdf`, emptyBill));
  const before = processUsage(server.pid)?.rssBytes ?? 0;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, processUsage(server.pid)?.rssBytes ?? 0)), 10);
  const csv = await timed("users.csv", () => ask(`${server.urls.console}/api/reports/users`));
  clearInterval(watch);
  const noCsv = await timed("users.csv of a customer with one user", () =>
    ask(`${server.urls.console}/api/reports/users?customer_code=cust`),
  );
  const { rowCount } = await ask<{ rowCount: number }>(`${server.urls.console}/api/reports/users`);
  if (rowCount !== users + 1) report.failures.push(`users.csv has ${rowCount} users instead of ${users + 1}`);

  report.tables.push({
    columns: ["call", "median ms", "with nothing in it", "ratio"],
    rows: [
      [`bill of ${formatCount(lines)} lines`, formatMs(figures), formatMs(noFigures), formatTimes(figures / noFigures)],
      [`its PDF`, formatMs(pdf), formatMs(noPdf), formatTimes(pdf / noPdf)],
      [`users.csv of ${formatCount(users)} users`, formatMs(csv), formatMs(noCsv), formatTimes(csv / noCsv)],
    ],
  });
  report.notes.push(
    `Memory of the server rose by ${formatMegabytes(peak - before)} at most while it made users.csv ${times + 1} times in a row.`,
  );
  report.facts = {
    "bill, median ms": figures,
    "pdf, median ms": pdf,
    "users.csv, median ms": csv,
    "users.csv, more memory, bytes": peak - before,
  };
  expectNone(report, "calls that failed", failed);
  return report;
}

async function seedAccounts(pool: Pool, users: number): Promise<void> {
  await pool.query("update app_user set roles = '{systemAdministrator,accountsAdministrator}' where username = 'bench'");
  await pool.query("update session set roles = '{systemAdministrator,accountsAdministrator}'");
  await pool.query("insert into billing_organization (name) values ('All of them'), ('No locations')");
  await pool.query(
    "insert into billing_organization_customer (customer_id, organization_id) select c.id, o.id from customer c, billing_organization o where o.name = 'All of them'",
  );
  await pool.query("insert into customer (code, name) values ('cust', 'One user')");
  await pool.query(
    `insert into app_user (username, email, first_name, last_name, customer_id)
     select 'user' || i, 'user' || i || '@invented.example', 'First' || i, 'Last, the ' || i, (select id from customer where code <> 'cust' order by id limit 1) from generate_series(1, ${users}) i
     union all select 'single', 'single@invented.example', 'Single', 'User', (select id from customer where code = 'cust')`,
  );
}
