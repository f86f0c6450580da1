import type { FacilitySubscriptions, UserSubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";
import type { PoolClient } from "pg";
import { planned, prepared, type Db } from "#db/statement.ts";
import { subscriptions } from "#shared/subscribers-sql.ts";

const wanted = `u.active_status as "activeStatus", u.auto_subscribe_all_facilities as "autoSubscribeAllFacilities",
  u.receive_daily_report as "receiveDailyReport", u.receive_connectivity_notifications as "receiveConnectivityNotifications",
  u.receive_fault_library_notifications as "receiveFaultLibraryNotifications"`;
const isOwn = "u.customer_id is not distinct from f.customer_id";
const list = (rows: string) => `(select coalesce(json_agg(r), '[]') from (${rows}) r)`;
/** One that can concern the user. */
const canReach = `(u.internal_user or ${isOwn})`;

export async function readUserSubscriptions(db: Db, userId: number): Promise<UserSubscriptions | undefined> {
  const rows = await prepared<UserSubscriptions>(db, "read-user-subscriptions", [userId])`
    select u.id as "userId", u.username, ${wanted},
      ${list(`select f.id as "facilityId", f.name as "facilityName", c.name as "customerName", ${isOwn} as "isOwnCustomer", s.frequency
        from facility f join customer c on c.id = f.customer_id left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id
        where ${canReach} order by ${isOwn} desc, lower(c.name), lower(f.name), f.id`)} as "facilities"
    from app_user u where u.id = $1`;
  return rows[0];
}

export async function readFacilitySubscriptions(db: Db, facilityId: number): Promise<FacilitySubscriptions | undefined> {
  const rows = await prepared<FacilitySubscriptions>(db, "read-facility-subscriptions", [facilityId])`
    select f.id as "facilityId", f.name as "facilityName", c.name as "customerName",
      ${list(`select u.id as "userId", u.username, u.first_name as "firstName", u.last_name as "lastName", ${isOwn} as "isOwnCustomer", ${wanted}, s.frequency
        from ${subscriptions} where ${canReach} order by ${isOwn} desc, lower(u.last_name), lower(u.first_name), u.username`)} as "users"
    from facility f join customer c on c.id = f.customer_id where f.id = $1`;
  return rows[0];
}

export interface SubscriptionPair {
  userId: number;
  facilityId: number;
  username: string;
  facilityName: string;
  isAdministrator: boolean;
  canReach: boolean;
  frequency: SubscriptionFrequency | null;
}

/** What these users have of these facilities; no one else changes it until the transaction ends. */
export async function lockSubscriptions(
  client: PoolClient,
  userIds: readonly number[],
  facilityIds: readonly number[],
): Promise<SubscriptionPair[]> {
  // Whoever changes subscriptions locks the users first, so that rows that are not there yet are guarded too.
  await prepared(client, "lock-subscribers", [userIds])`select from app_user where id = any($1::int4[]) order by id for no key update`;
  await prepared(client, "hold-subscribed-facilities", [
    facilityIds,
  ])`select from facility where id = any($1::int4[]) order by id for share`;
  return await prepared<SubscriptionPair>(client, "read-subscription-pairs", [userIds, facilityIds])`
    select u.id as "userId", f.id as "facilityId", u.username, f.name as "facilityName", u.is_administrator as "isAdministrator",
      ${canReach} as "canReach", s.frequency
    from facility f cross join app_user u left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id
    where u.id = any($1::int4[]) and f.id = any($2::int4[])`;
}

type NewSubscription = Pick<SubscriptionPair, "userId" | "facilityId" | "frequency">;

export async function writeSubscriptions(client: PoolClient, pairs: readonly NewSubscription[]): Promise<void> {
  const values = [pairs.map(({ userId }) => userId), pairs.map(({ facilityId }) => facilityId), pairs.map(({ frequency }) => frequency)];
  const given = "unnest($1::int4[], $2::int4[], $3::text[]) as r(user_id, facility_id, frequency)";
  await planned(client, "end-subscriptions", values)`delete from facility_subscription s using ${given}
    where s.user_id = r.user_id and s.facility_id = r.facility_id and r.frequency is null`;
  await planned(client, "write-subscriptions", values)`insert into facility_subscription (user_id, facility_id, frequency)
    select user_id, facility_id, frequency from ${given} where frequency is not null
    on conflict (user_id, facility_id) do update set frequency = excluded.frequency`;
}
