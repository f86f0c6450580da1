import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import { presentUsers, userReportHeader } from "./user-report.view.ts";
import type { UserReportReadModel } from "./user-report.read-model.ts";

export function userReportHandlers(readModel: UserReportReadModel): Pick<Handlers, "getUserReport"> {
  return {
    async getUserReport({ query }) {
      const customerCode = query.customer_code;
      if (customerCode !== undefined && !(await readModel.customerExists(customerCode))) throw notFound(`Customer ${customerCode}`);
      const filter = {
        customerCode,
        includeInternalUsers: query.include_internal_users,
        includeInactiveUsers: query.include_inactive_users,
      };
      const parts = [userReportHeader()];
      let rowCount = 0;
      for await (const users of readModel.pages(filter)) {
        parts.push(presentUsers(users));
        rowCount += users.length;
      }
      return { csvString: parts.join(""), rowCount };
    },
  };
}
