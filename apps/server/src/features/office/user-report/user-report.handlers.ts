import { Readable } from "node:stream";
import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import { presentUsers, userReportHeader } from "./user-report.view.ts";
import type { UserReportFilter, UserReportReadModel } from "./user-report.read-model.ts";

export function userReportHandlers(readModel: UserReportReadModel) {
  return {
    async getUserReport({ query }) {
      const customerCode = query.customer_code;
      if (customerCode !== undefined && !(await readModel.customerExists(customerCode))) throw notFound(`Customer ${customerCode}`);
      const filter = {
        customerCode,
        includeInternalUsers: query.include_internal_users,
        includeInactiveUsers: query.include_inactive_users,
      };
      return {
        status: 200,
        headers: { "content-type": "application/json; charset=utf-8" },
        body: Readable.from(answerParts(readModel, filter), { highWaterMark: 1 }),
      };
    },
  } satisfies Partial<Handlers>;
}

/** The answer piece by piece, so that a long list is never in memory as a whole. */
async function* answerParts(readModel: UserReportReadModel, filter: UserReportFilter): AsyncGenerator<string> {
  let rowCount = 0;
  yield `{"data":{"csvString":"${insideString(userReportHeader())}`;
  for await (const users of readModel.pages(filter)) {
    rowCount += users.length;
    if (users.length > 0) yield insideString(presentUsers(users));
  }
  yield `","rowCount":${rowCount}}}`;
}

const insideString = (text: string): string => JSON.stringify(text).slice(1, -1);
