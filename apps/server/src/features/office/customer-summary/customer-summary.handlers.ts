import type { CustomerSummaryRow } from "@busbar/contract/office/customer-summary.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { CustomerSummaryReadModel } from "./customer-summary.read-model.ts";

export function customerSummaryHandlers(readModel: CustomerSummaryReadModel) {
  return {
    async getCustomerSummary() {
      const rows = await readModel.rows();
      const customerList = rows.filter((row): row is CustomerSummaryRow => row.customerCode !== null);
      const others = rows.find((row) => row.customerCode === null);
      const sum = (name: "deployedNodeCount" | "preDeployedNodeCount" | "unassignedNodeCount") =>
        customerList.reduce((total, row) => total + row[name], 0);
      return {
        customerList,
        totalDeployedNodeCount: sum("deployedNodeCount"),
        totalPreDeployedNodeCount: sum("preDeployedNodeCount"),
        totalUnassignedNodeCount: sum("unassignedNodeCount"),
        nodesOfNoCustomerCount: others
          ? (others.deployedNodeCount ?? 0) + (others.preDeployedNodeCount ?? 0) + (others.unassignedNodeCount ?? 0)
          : 0,
      };
    },
  } satisfies Partial<Handlers>;
}
