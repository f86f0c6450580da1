import type { SubscriptionReportRow } from "@busbar/contract/office/subscription-report.ts";

export interface SubscriptionFilter {
  filterText: string;
  facilityFilterText: string;
}

export const fullName = ({ firstName, lastName }: SubscriptionReportRow): string => `${firstName} ${lastName}`.trim();

/**
 * REP-04: the general text is looked for in full name, customer name and username; the facility text keeps rows with a facility
 * of that name and trims their lists to those. Neither minds capitals, nor spaces around it.
 */
export function filterSubscriptions(
  rows: readonly SubscriptionReportRow[],
  { filterText, facilityFilterText }: SubscriptionFilter,
): SubscriptionReportRow[] {
  const text = filterText.trim().toLowerCase();
  const facilityText = facilityFilterText.trim().toLowerCase();
  return rows.flatMap((row) => {
    const isMatch = [fullName(row), row.customerName, row.username].some((part) => part.toLowerCase().includes(text));
    const facilities = row.subscribedFacilityList.filter(({ name }) => name.toLowerCase().includes(facilityText));
    if (!isMatch || (facilityText !== "" && facilities.length === 0)) return [];
    return [{ ...row, subscribedFacilityList: facilities }];
  });
}
