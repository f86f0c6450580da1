import { SubscriptionReport } from "#features/office/subscription-report/subscription-report.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function SubscriptionReportPage() {
  const [filter, setFilter] = useAddressTexts("/subscriptionreport", ["filterText", "facilityFilterText"]);
  return (
    <PageFrame title="Subscription Report">
      <SubscriptionReport filter={filter} onFilter={setFilter} />
    </PageFrame>
  );
}
