import { BillingScreen } from "#features/office/billing/billing-screen.tsx";
import { PageFrame } from "./page-frame.tsx";

export function BillingPage() {
  return (
    <PageFrame title="Billing">
      <BillingScreen />
    </PageFrame>
  );
}
