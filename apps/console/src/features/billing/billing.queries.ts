import { createBillPdf, getBill, getBillingOrganizations } from "@busbar/contract/billing.ts";
import type { Bill, BillForm } from "@busbar/contract/billing.ts";
import { downloadAdmin } from "@busbar/contract/download-admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

export function useBillingOrganizations() {
  const call = useApi();
  return useQuery({ queryKey: ["billing-organizations"], queryFn: ({ signal }) => call(getBillingOrganizations, {}, { signal }) });
}

export function requestBill(call: Client, { organizationId, voltaEnergy, ...statement }: BillForm): Promise<Bill> {
  return call(getBill, { params: { id: organizationId }, query: { ...statement, voltaEnergy: voltaEnergy ? "true" : "false" } });
}

/** Makes the file and returns the address at which it can be opened once. */
export async function requestPdf(call: Client, bill: Bill): Promise<string> {
  return call.addressFor(downloadAdmin, { token: await call(createBillPdf, { body: bill }) });
}
