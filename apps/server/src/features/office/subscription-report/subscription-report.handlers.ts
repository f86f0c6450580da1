import type { Handlers } from "#http/endpoints.ts";
import type { SubscriptionReportReadModel } from "./subscription-report.read-model.ts";

export function subscriptionReportHandlers(readModel: SubscriptionReportReadModel) {
  return { getSubscriptionReport: () => readModel.rows() } satisfies Partial<Handlers>;
}
