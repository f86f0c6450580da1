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
import { downloadAdminHandlers } from "#features/files/download-admin/download-admin.handlers.ts";
import { createDownloadService } from "#features/files/download-admin/download-admin.service.ts";
import { createDownloadStore } from "#features/files/download-admin/download-admin.store.ts";
import { createActivityFeed } from "#features/system/feeds/activity-feed.read-model.ts";
import { feedsHandlers } from "#features/system/feeds/feeds.handlers.ts";
import { createLoginFeed } from "#features/system/feeds/login-feed.read-model.ts";
import { createNotificationFeed } from "#features/system/feeds/notification-feed.read-model.ts";
import { subscriptionReportHandlers } from "#features/office/subscription-report/subscription-report.handlers.ts";
import { createSubscriptionReportReadModel } from "#features/office/subscription-report/subscription-report.read-model.ts";
import { userReportHandlers } from "#features/office/user-report/user-report.handlers.ts";
import { createUserReportReadModel } from "#features/office/user-report/user-report.read-model.ts";
import type { Authenticators } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";

export interface OfficeDependencies {
  pool: Pool;
  clock: Clock;
  systemConfig: SystemConfig;
  authenticate: Authenticators["authenticate"];
  countNodes: () => { connected: number; all: number };
}

/** What staff read and hand out: feeds, reports, bills. */
export function createOffice({ pool, clock, systemConfig, authenticate, countNodes }: OfficeDependencies) {
  const privateFiles = createDownloadService(createDownloadStore(pool), clock);
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
      ...feedsHandlers({
        activities: createActivityFeed(pool),
        notifications: createNotificationFeed(pool),
        logins: createLoginFeed(pool),
        countNodes,
        clock,
      }),
      ...billingHandlers(billing, billRegister),
      ...downloadAdminHandlers(privateFiles, authenticate),
      ...customerSummaryHandlers(createCustomerSummaryReadModel(pool)),
      ...subscriptionReportHandlers(createSubscriptionReportReadModel(pool)),
      ...userReportHandlers(createUserReportReadModel(pool)),
    },
  };
}
