/** Which wish of a user a message needs. */
export type NoticeWish = "receive_fault_library_notifications" | "receive_connectivity_notifications";

/**
 * SQL for an array of e-mail addresses: who is told at once of something at facility `f`. They may sign in, have the wish, and subscribe to
 * the facility, by a row of their own or to all of their customer's. Digests are another matter.
 */
export function subscribersSql(wish: NoticeWish, isInternal: boolean): string {
  return `array(
    select u.email from app_user u left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id
    where u.active_status = 'ACTIVE' and u.${wish} and u.internal_user = ${isInternal} and coalesce(s.frequency, 'Immediate') = 'Immediate'
      and ((s.user_id is not null and (u.internal_user or u.customer_id = f.customer_id)) or (u.auto_subscribe_all_facilities and u.customer_id = f.customer_id))
    order by u.email)`;
}
