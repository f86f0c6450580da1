import type { SystemConfig } from "#features/system-config/system-config.service.ts";
import type { BillingSettings } from "./billing.service.ts";

/** Rates, vendor and first choice as they are set now. */
export async function readBillingSettings(systemConfig: SystemConfig): Promise<BillingSettings> {
  const { get } = systemConfig;
  const [name, addressLine1, city, state, zipCode, defaultOrganization] = await Promise.all([
    get("Billing_vendorName"),
    get("Billing_vendorAddressLine1"),
    get("Billing_vendorCity"),
    get("Billing_vendorState"),
    get("Billing_vendorZipCode"),
    get("Billing_defaultOrganization"),
  ]);
  const [deployed, preDeployment, energy] = await Promise.all([
    get("Billing_deployedCentsPerYear"),
    get("Billing_preDeploymentCentsPerYear"),
    get("Billing_energyCentsPerYear"),
  ]);
  return { vendor: { name, addressLine1, city, state, zipCode }, rates: { deployed, preDeployment, energy }, defaultOrganization };
}
