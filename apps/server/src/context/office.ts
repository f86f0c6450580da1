import type { Pool } from "pg";
import { createBillRegister } from "#features/office/billing/bill-register.service.ts";
import { createBillRegisterStore } from "#features/office/billing/bill-register.store.ts";
import { createBillPdfMaker } from "#features/office/billing/bill-pdf-maker.ts";
import { readBillingSettings } from "#features/office/billing/billing-settings.ts";
import { billingHandlers } from "#features/office/billing/billing.handlers.ts";
import { createBillingReadModel } from "#features/office/billing/billing.read-model.ts";
import { createBillingService } from "#features/office/billing/billing.service.ts";
import { customerSummaryHandlers } from "#features/office/customer-summary/customer-summary.handlers.ts";
import { createCustomerSummaryReadModel } from "#features/office/customer-summary/customer-summary.read-model.ts";
import type { DownloadService } from "#features/files/download-admin/download-admin.service.ts";
import { subscriptionReportHandlers } from "#features/office/subscription-report/subscription-report.handlers.ts";
import { createSubscriptionReportReadModel } from "#features/office/subscription-report/subscription-report.read-model.ts";
import { userReportHandlers } from "#features/office/user-report/user-report.handlers.ts";
import { createUserReportReadModel } from "#features/office/user-report/user-report.read-model.ts";
import type { Clock } from "#lib/clock.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";

export interface OfficeDependencies {
  pool: Pool;
  clock: Clock;
  systemConfig: SystemConfig;
  privateFiles: DownloadService;
}

/** What staff hand out: bills and reports. */
export function createOffice({ pool, clock, systemConfig, privateFiles }: OfficeDependencies) {
  const readModel = createBillingReadModel(pool);
  const settings = () => readBillingSettings(systemConfig);
  const billRegister = createBillRegister({
    store: createBillRegisterStore(pool),
    readModel,
    settings,
    clock,
    keepDownload: (client, download) => privateFiles.keep(client, download),
  });
  const billing = createBillingService({ readModel, settings, makePdf: createBillPdfMaker(), register: billRegister });
  return {
    handlers: {
      ...billingHandlers(billing, billRegister),
      ...customerSummaryHandlers(createCustomerSummaryReadModel(pool)),
      ...subscriptionReportHandlers(createSubscriptionReportReadModel(pool)),
      ...userReportHandlers(createUserReportReadModel(pool)),
    },
  };
}
