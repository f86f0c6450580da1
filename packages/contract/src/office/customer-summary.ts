import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const CustomerSummaryRow = z.object({
  customerCode: z.string(),
  customerName: z.string(),
  deployedNodeCount: z.int(),
  preDeployedNodeCount: z.int(),
  unassignedNodeCount: z.int(),
});
export type CustomerSummaryRow = z.infer<typeof CustomerSummaryRow>;

export const CustomerSummary = z.object({
  customerList: z.array(CustomerSummaryRow),
  totalDeployedNodeCount: z.int(),
  totalPreDeployedNodeCount: z.int(),
  totalUnassignedNodeCount: z.int(),
  /** Nodes of these statuses that belong to no customer and are in no row. */
  nodesOfNoCustomerCount: z.int(),
});
export type CustomerSummary = z.infer<typeof CustomerSummary>;

export const getCustomerSummary = endpoint("GET /api/customers/summary", {
  access: "accountsAdministrator",
  summary: "Nodes of each customer by deployment status, by customer name",
  data: CustomerSummary,
});
