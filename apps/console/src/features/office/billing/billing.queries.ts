import {
  createBillPdf,
  createRegisteredBillPdf,
  getBill,
  getBilledMonth,
  getBillingOrganizations,
  getRegisteredBills,
  voidBill,
} from "@busbar/contract/office/billing.ts";
import type { Bill, BillForm } from "@busbar/contract/office/billing.ts";
import { downloadAdmin } from "@busbar/contract/files/download-admin.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

export function useBillingOrganizations() {
  const call = useApi();
  return useQuery({ queryKey: ["billing-organizations"], queryFn: ({ signal }) => call(getBillingOrganizations, {}, { signal }) });
}

const registerKey = "bill-register";

export function useBillRegister(before: number | undefined) {
  const call = useApi();
  return useQuery({
    queryKey: [registerKey, "bills", before],
    queryFn: ({ signal }) => call(getRegisteredBills, { query: before === undefined ? {} : { before: String(before) } }, { signal }),
  });
}

export function useBilledMonth(month: string, enabled: boolean) {
  const call = useApi();
  return useQuery({
    queryKey: [registerKey, "month", month],
    queryFn: ({ signal }) => call(getBilledMonth, { params: { month } }, { signal }),
    enabled,
  });
}

export function useReloadRegister(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [registerKey] });
}

export function useVoidBill(): (number: number, reason: string) => Promise<void> {
  const call = useApi();
  const reload = useReloadRegister();
  return async (number, reason) => {
    await call(voidBill, { params: { number: String(number) }, body: { reason } });
    await reload();
  };
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
