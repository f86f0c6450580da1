/** Which preference of a user a message needs. */
export type NoticePreference = "receive_fault_library_notifications" | "receive_connectivity_notifications" | "receive_daily_report";

/** SQL for the users `u` who subscribe to facility `f`, with their own row `s` of it if they have one. */
export const subscriptions = "app_user u left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id";

/** SQL condition: user `u` may sign in, has the preference, and subscribes to facility `f`, by a row of their own or to all of their customer's. */
export function subscribesSql(preference: NoticePreference): string {
  return `(u.active_status = 'ACTIVE' and u.${preference} and ${reachesSql})`;
}

/** SQL condition: facility `f` concerns user `u`. A facility that went to another customer does not any more. */
export const reachesSql = `((s.user_id is not null and (u.internal_user or u.customer_id = f.customer_id))
  or (u.auto_subscribe_all_facilities and u.customer_id = f.customer_id))`;

/** SQL for an array of e-mail addresses: who is notified at once of something at facility `f`. Digests are another matter. */
export const subscribersSql = (preference: NoticePreference, isInternal: boolean): string =>
  addressesSql(`${subscribesSql(preference)} and coalesce(s.frequency, 'Immediate') = 'Immediate'`, isInternal);

/** SQL for an array of e-mail addresses: who gets what has a rhythm of its own, whatever the frequency of their subscription. */
export const everySubscriberSql = (preference: NoticePreference, isInternal: boolean): string =>
  addressesSql(subscribesSql(preference), isInternal);

const addressesSql = (condition: string, isInternal: boolean): string =>
  `array(select u.email from ${subscriptions} where u.internal_user = ${isInternal} and ${condition} order by u.email)`;
