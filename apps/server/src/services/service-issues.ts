import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import { markIssueReported, takeIssues, type IssueRow } from "./service-issues.store.ts";

/** A service that does not work, or works again. */
export type ServiceIssue = Omit<IssueRow, "isFailing"> & { state: "failing" | "works again" };
export type ReportIssue = (client: PoolClient, issue: ServiceIssue) => Promise<void>;

/** So many failures in a row are reported, or failures over so long a time; and so long without one is reported as the end of it. */
const reportedFailures = 5;
const reportAfterSeconds = 900;

/** Each issue is reported once when it has lasted, and once when it has been over for as long: a service that comes and goes is no flood. */
export async function reportIssues(pool: Pool, now: number, report: ReportIssue): Promise<void> {
  const limits = { failures: reportedFailures, before: now - reportAfterSeconds };
  if ((await takeIssues(pool, limits)).length === 0) return;
  await inTransaction(pool, async (client) => {
    for (const { isFailing, ...issue } of await takeIssues(client, limits, "lock")) {
      await report(client, { ...issue, state: isFailing ? "failing" : "works again" });
      await markIssueReported(client, issue.name, isFailing ? now : null);
    }
  });
}
