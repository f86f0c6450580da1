import type { PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, type Db } from "#db/statement.ts";

export interface IssueRow {
  name: string;
  isFailing: boolean;
  failureCount: number;
  /** Epoch seconds of the first failure in a row; of one that is over, when it was reported. */
  since: number;
  logEntry: string;
}

/** Services that fail and no one knows, and those that people believe to fail. Locked ones are left to whoever locked them. */
export async function takeIssues(
  client: Db,
  { failures, before }: { failures: number; before: number },
  how: "look" | "lock" = "look",
): Promise<IssueRow[]> {
  return await planned<IssueRow>(client, "service-issues", [failures, before])`
    select name, failing_since is not null as "isFailing", failure_count as "failureCount",
      ${exactEpoch("coalesce(failing_since, trouble_told_at)")} as since, log_entry as "logEntry"
    from service where (trouble_told_at is null and is_enabled and failing_since is not null and (failure_count >= $1 or failing_since <= to_timestamp($2)))
      or (trouble_told_at is not null and failing_since is null and last_failed_at <= to_timestamp($2))
    order by name${how === "lock" ? " for update skip locked" : ""}`;
}

/** @param at null: what was reported is over */
export async function markIssueReported(client: PoolClient, name: string, at: number | null): Promise<void> {
  await planned(client, "mark-issue-reported", [name, at])`update service set trouble_told_at = to_timestamp($2) where name = $1`;
}
