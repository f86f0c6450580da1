import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";
import type { Pool, PoolClient } from "pg";
import { planned } from "#db/statement.ts";
import { reachesSql, subscribesSql, subscriptions, type NoticePreference } from "#shared/subscribers-sql.ts";

export type DigestFrequency = Exclude<SubscriptionFrequency, "Immediate">;

export interface NewDigestItem {
  facilityId: number;
  preference: NoticePreference;
  isInternalOnly: boolean;
  at: number;
  line: string;
}

/** A row for each subscriber of the facility who gets digests. */
export async function addDigestItems(
  client: PoolClient,
  { facilityId, preference, isInternalOnly, at, line }: NewDigestItem,
  now: number,
): Promise<void> {
  await planned(client, "add-digest-items", [facilityId, at, now, line, isInternalOnly])`
    insert into digest_item (user_id, facility_id, frequency, happened_at, added_at, line)
    select u.id, f.id, s.frequency, to_timestamp($2), to_timestamp($3), $4
    from facility f cross join ${subscriptions}
    where f.id = $1 and s.frequency in ('Daily', 'Weekly') and ${subscribesSql(preference)} and (u.internal_user or not $5)`;
}

/** Users for whom something was added before then. */
export async function findDigestUsers(pool: Pool, frequency: DigestFrequency, before: number): Promise<number[]> {
  const rows = await planned<{ id: number }>(pool, "digest-users", [frequency, before])`
    select distinct user_id as id from digest_item where frequency = $1 and added_at < to_timestamp($2) order by id`;
  return rows.map(({ id }) => id);
}

export interface DigestFacility {
  email: string;
  facilityName: string;
  customerName: string;
  /** Oldest first. */
  lines: string[];
}

/** Takes out what was added for the user before then. What does not concern them any more goes without a word. */
export async function takeDigest(
  client: PoolClient,
  userId: number,
  frequency: DigestFrequency,
  before: number,
): Promise<DigestFacility[]> {
  return await planned<DigestFacility>(client, "take-digest", [userId, frequency, before])`
    with taken as (delete from digest_item where user_id = $1 and frequency = $2 and added_at < to_timestamp($3) returning *)
    select u.email, f.name as "facilityName", c.name as "customerName", array_agg(t.line order by t.happened_at, t.id) as lines
    from taken t join facility f on f.id = t.facility_id join customer c on c.id = f.customer_id
      cross join ${subscriptions}
    where u.id = t.user_id and u.active_status = 'ACTIVE' and ${reachesSql}
    group by u.id, f.id, c.id order by lower(c.name), c.id, lower(f.name), f.id`;
}
