import { CustomerSummary } from "#features/office/customer-summary/customer-summary.tsx";
import { PageFrame } from "./page-frame.tsx";

export function CustomerSummaryPage() {
  return (
    <PageFrame title="Customer Summary">
      <CustomerSummary />
    </PageFrame>
  );
}
