import type { Bill } from "@busbar/contract/office/billing.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import type { BillingRates } from "./bill-lines.ts";

export interface BillingSettings {
  vendor: Bill["vendor"];
  rates: BillingRates;
  /** Name of the organisation that the form begins with. */
  defaultOrganization: string;
}

/** Rates, vendor and first choice as they are set now. */
export async function readBillingSettings(systemConfig: SystemConfig): Promise<BillingSettings> {
  const [name, addressLine1, city, state, zipCode, defaultOrganization] = await Promise.all([
    systemConfig.get("Billing_vendorName"),
    systemConfig.get("Billing_vendorAddressLine1"),
    systemConfig.get("Billing_vendorCity"),
    systemConfig.get("Billing_vendorState"),
    systemConfig.get("Billing_vendorZipCode"),
    systemConfig.get("Billing_defaultOrganization"),
  ]);
  const [deployed, preDeployment, energy] = await Promise.all([
    systemConfig.get("Billing_deployedCentsPerYear"),
    systemConfig.get("Billing_preDeploymentCentsPerYear"),
    systemConfig.get("Billing_energyCentsPerYear"),
  ]);
  return { vendor: { name, addressLine1, city, state, zipCode }, rates: { deployed, preDeployment, energy }, defaultOrganization };
}

/** Who is notified that a bill can be made, and how many days before paid time ends. */
export async function readBillingNotices(systemConfig: SystemConfig): Promise<{ recipients: readonly string[]; days: number }> {
  const [own, days] = await Promise.all([systemConfig.get("Billing_noticeRecipients"), systemConfig.get("Billing_noticeDays")]);
  return { recipients: own.length > 0 ? own : await systemConfig.get("Notices_internalRecipients"), days };
}
