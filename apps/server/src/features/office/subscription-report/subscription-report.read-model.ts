import type { SubscriptionReportRow } from "@busbar/contract/office/subscription-report.ts";
import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";

// Who subscribes to all facilities gets those without a row of their own at once. A facility that went to another customer counts no more.
const query = `select u.first_name as "firstName", u.last_name as "lastName", u.username, c.name as "customerName", s.frequency,
    jsonb_agg(jsonb_build_object('name', f.name) order by lower(f.name), f.id) as "subscribedFacilityList"
  from app_user u join customer c on c.id = u.customer_id join facility f on f.customer_id = c.id
  left join facility_subscription own on own.user_id = u.id and own.facility_id = f.id
  cross join lateral (select coalesce(own.frequency, 'Immediate') as frequency) s
  where (own.user_id is not null or u.auto_subscribe_all_facilities) and u.active_status = 'ACTIVE'
  group by u.id, c.id, s.frequency
  order by lower(u.last_name), lower(u.first_name), u.username, s.frequency`;

export function createSubscriptionReportReadModel(pool: Pool) {
  return {
    async rows(): Promise<SubscriptionReportRow[]> {
      return await prepared<SubscriptionReportRow>(pool, "subscription-report")`${query}`;
    },
  };
}
export type SubscriptionReportReadModel = ReturnType<typeof createSubscriptionReportReadModel>;
