import {
  createBillPdf,
  createRegisteredBillPdf,
  getBill,
  getBilledMonth,
  getBillingOrganizations,
  getRegisteredBills,
  voidBill,
  type Bill,
  type BillForm,
} from "@busbar/contract/office/billing.ts";
import { downloadAdmin } from "@busbar/contract/files/download-admin.ts";
import type { Client } from "#api/client.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export const useBillingOrganizations = () => useApiQuery(getBillingOrganizations, {});

export const useBillRegister = (before: number | undefined) =>
  useApiQuery(getRegisteredBills, { query: before === undefined ? {} : { before: String(before) } });

export const useBilledMonth = (month: string, enabled: boolean) => useApiQuery(getBilledMonth, { params: { month } }, { enabled });

export function useVoidBill() {
  return useApiMutation((call, { number, reason }: { number: number; reason: string }) =>
    call(voidBill, { params: { number: String(number) }, body: { reason } }),
  );
}

export function requestBill(call: Client, { organizationId, voltaEnergy, ...statement }: BillForm): Promise<Bill> {
  return call(getBill, { params: { id: organizationId }, query: { ...statement, voltaEnergy: voltaEnergy ? "true" : "false" } });
}

/** Makes the bill, or finds it made, and returns the address at which its file can be opened once. */
export async function requestPdf(call: Client, bill: Bill): Promise<string> {
  return call.addressFor(downloadAdmin, { token: await call(createBillPdf, { body: bill }) });
}

/** The same for a bill of the register. */
export async function requestRegisteredPdf(call: Client, number: number): Promise<string> {
  return call.addressFor(downloadAdmin, { token: await call(createRegisteredBillPdf, { params: { number: String(number) } }) });
}
