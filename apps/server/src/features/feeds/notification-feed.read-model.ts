import { Notification } from "@busbar/contract/feeds.ts";
import type { Pool } from "pg";
import { selectList } from "#db/select-list.ts";

const columns = selectList(Notification, "notification", {
  id: "id::float8",
  timestamp: "extract(epoch from coalesce(sent_at, created_at))::float8",
});

export function createNotificationFeed(pool: Pool) {
  return {
    async page(from: number, count: number): Promise<{ notifications: Notification[]; total: number }> {
      const [list, all] = await Promise.all([
        pool.query<Notification>({
          name: "notification-page",
          text: `/* notification-page */ select ${columns} from notification order by id desc offset $1 limit $2`,
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
