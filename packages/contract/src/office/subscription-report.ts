import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { subscriptionFrequencies } from "../values/option-lists.ts";

/** The facilities whose messages a user gets at one frequency; a user with several frequencies has a row for each. */
export const SubscriptionReportRow = z.object({
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  customerName: z.string(),
  frequency: z.enum(subscriptionFrequencies),
  subscribedFacilityList: z.array(z.object({ name: z.string() })),
});
export type SubscriptionReportRow = z.infer<typeof SubscriptionReportRow>;

export const getSubscriptionReport = endpoint("GET /api/subscriptions/report", {
  access: "accountsAdministrator",
  summary: "Who is subscribed to which facilities, by name",
  data: z.array(SubscriptionReportRow),
});
