import type { Service, WaitingWork } from "@busbar/contract/system/system-services.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

const mostListed = 200;

/** What services have set aside, and what waits in a queue that keeps its own tries. */
const waitingSql = `
  select service, kind, item, reason, tries, first_at as since, next_try_at as next_try from service_set_aside
  union all
  select 'NotificationSender', 'notification', id::text, sent_failed_reason, attempts, created_at, next_attempt_at
    from notification where next_attempt_at is not null and sent_failed_reason is not null
  union all
  select 'MqttIngest', 'request to node', serial_number::text, 'Waits for the node to connect', 0, requested_at, null from file_request`;

export function createWaitingWork(pool: Pool) {
  return {
    async counts(): Promise<Map<string, NonNullable<Service["waiting"]>>> {
      const rows = await prepared<{ service: string; count: number; since: number; nextTry: number | null }>(pool, "count-waiting-work")`
        select service, count(*)::int4 as count, ${epochSeconds("min(since)")} as since, ${epochSeconds("min(next_try)")} as "nextTry"
        from (${waitingSql}) w group by service`;
      return new Map(rows.map(({ service, ...waiting }) => [service, waiting]));
    },

    async list(service: string): Promise<WaitingWork[]> {
      return await prepared<WaitingWork>(pool, "list-waiting-work", [service])`
        select kind, item, reason, tries, ${epochSeconds("w.since")} as since, ${epochSeconds("next_try")} as "nextTry"
        from (${waitingSql}) w where service = $1 order by w.since, kind, item limit ${mostListed}`;
    },
  };
}
export type WaitingWorkReadModel = ReturnType<typeof createWaitingWork>;
