import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import { reachesSql } from "#shared/subscribers-sql.ts";

export interface SubscribedFacility {
  name: string;
  frequency: string;
}

/** The facilities that a user is notified of, by name. */
export async function readSubscribedFacilities(client: PoolClient, userId: number): Promise<SubscribedFacility[]> {
  return await prepared<SubscribedFacility>(client, "subscribed-facilities", [userId])`
    select f.name, coalesce(s.frequency, 'Immediate') as frequency
    from app_user u cross join facility f left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id
    where u.id = $1 and ${reachesSql} order by lower(f.name), f.id`;
}
