import type { Handlers } from "#http/endpoints.ts";
import type { SubscriptionReportReadModel } from "./subscription-report.read-model.ts";

export function subscriptionReportHandlers(readModel: SubscriptionReportReadModel): Pick<Handlers, "getSubscriptionReport"> {
  return { getSubscriptionReport: () => readModel.rows() };
}
