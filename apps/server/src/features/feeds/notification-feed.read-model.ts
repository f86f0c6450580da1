import type { Notification } from "@busbar/contract/feeds.ts";
import type { Pool } from "pg";

export function createNotificationFeed(pool: Pool) {
  return {
    async page(from: number, count: number): Promise<{ notifications: Notification[]; total: number }> {
      const [list, all] = await Promise.all([
        pool.query<Notification>({
          name: "notification-page",
          text: `/* notification-page */ select id::float8 as id, extract(epoch from coalesce(sent_at, created_at))::float8 as timestamp, kind, subject,
                   recipients_to as "recipientsTo", recipients_cc as "recipientsCc", recipients_bcc as "recipientsBcc", body,
                   sent_success as "sentSuccess", sent_failed_reason as "sentFailedReason"
                 from notification order by id desc offset $1 limit $2`,
          values: [from - 1, count],
        }),
        pool.query<{ total: number }>({
          name: "count-notifications",
          text: "/* count-notifications */ select count(*)::float8 as total from notification",
        }),
      ]);
      return { notifications: list.rows, total: all.rows[0]?.total ?? 0 };
    },
  };
}
export type NotificationFeed = ReturnType<typeof createNotificationFeed>;
