import { Notification, type NotificationPage } from "@busbar/contract/system/feeds.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";

const columns = selectList(Notification, "notification", {
  id: "id::float8",
  timestamp: epochSeconds("coalesce(sent_at, created_at)"),
});

export function createNotificationFeed(pool: Pool) {
  return {
    /** Of those that were there when `upTo` was the newest id, so that pages do not move under their reader. */
    async page(from: number, count: number, upTo: number | undefined): Promise<Omit<NotificationPage, "from" | "count">> {
      const all = await prepared<{ total: number; newest: number }>(pool, "count-notifications", [upTo ?? null])`
        select count(*)::float8 as total, coalesce($1::float8, max(id), 0)::float8 as newest
        from notification where id <= coalesce($1::float8, id)`;
      const { total = 0, newest = 0 } = all[0] ?? {};
      const rows = await prepared<Notification>(pool, "notification-page", [from - 1, count, newest])`select ${columns}
        from notification where id <= $3::bigint order by coalesce(sent_at, created_at) desc, id desc offset $1 limit $2`;
      return { notifications: rows, total, newest };
    },
  };
}
export type NotificationFeed = ReturnType<typeof createNotificationFeed>;
