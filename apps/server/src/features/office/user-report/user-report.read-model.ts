import type { Pool } from "pg";
import { prepared, preparedCount } from "#db/statement.ts";

export interface ReportedUser {
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  customerCode: string;
  customerName: string;
  activeStatus: string;
  isInternal: boolean;
  receiveDailyReport: boolean;
  receiveConnectivityNotifications: boolean;
  receiveFaultLibraryNotifications: boolean;
  autoSubscribeAllFacilities: boolean;
}

export interface UserReportFilter {
  customerCode: string | undefined;
  includeInternalUsers: boolean;
  includeInactiveUsers: boolean;
}

const pageSize = 1_000;

export function createUserReportReadModel(pool: Pool) {
  return {
    async customerExists(code: string): Promise<boolean> {
      const found = await preparedCount(pool, "customer-by-code", [code])`select 1 from customer where code = $1`;
      return found === 1;
    },

    /** The users by username, some at a time: other calls get their turn between them. Staff have no customer and count as internal. */
    async *pages({ customerCode, includeInternalUsers, includeInactiveUsers }: UserReportFilter): AsyncGenerator<ReportedUser[]> {
      let after = "";
      for (;;) {
        const rows = await prepared<ReportedUser>(pool, "user-report", [
          after,
          customerCode ?? null,
          includeInternalUsers,
          includeInactiveUsers,
        ])`
          select u.username, u.first_name as "firstName", u.last_name as "lastName", u.email,
            coalesce(c.code, '') as "customerCode", coalesce(c.name, '') as "customerName", u.active_status as "activeStatus",
            u.internal_user or u.customer_id is null as "isInternal", u.receive_daily_report as "receiveDailyReport",
            u.receive_connectivity_notifications as "receiveConnectivityNotifications",
            u.receive_fault_library_notifications as "receiveFaultLibraryNotifications",
            u.auto_subscribe_all_facilities as "autoSubscribeAllFacilities"
          from app_user u left join customer c on c.id = u.customer_id
          where u.username > $1 and ($2::text is null or c.code = $2) and ($3 or not (u.internal_user or u.customer_id is null))
            and ($4 or u.active_status = 'ACTIVE')
          order by u.username limit ${pageSize}`;
        yield rows;
        if (rows.length < pageSize) return;
        after = rows.at(-1)?.username ?? "";
      }
    },
  };
}
export type UserReportReadModel = ReturnType<typeof createUserReportReadModel>;
