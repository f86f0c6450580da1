import type { CustomerLocation } from "@busbar/contract/customer-data.ts";

/**
 * What a demo user may see of a customer's place: numbers and types, but no word that the customer or its staff wrote.
 * The names of the redacted things stay apart from each other.
 */
export const redactLocation = (location: CustomerLocation): CustomerLocation => ({
  ...location,
  name: `Location ${location.id}`,
  facilityName: `Facility ${location.facilityId}`,
  siteName: `Site ${location.facilityId}`,
  assetLocationNumber: "",
});
