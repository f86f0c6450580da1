import type { Pool } from "pg";
import { recordActivity } from "#features/activities/activities.store.ts";
import { createBillRegister } from "#features/billing/bill-register.service.ts";
import { createBillRegisterStore } from "#features/billing/bill-register.store.ts";
import { createBillPdfMaker } from "#features/billing/bill-pdf-maker.ts";
import { readBillingSettings } from "#features/billing/billing-settings.ts";
import { billingHandlers } from "#features/billing/billing.handlers.ts";
import { createBillingReadModel } from "#features/billing/billing.read-model.ts";
import { createBillingService } from "#features/billing/billing.service.ts";
import { customerSummaryHandlers } from "#features/customer-summary/customer-summary.handlers.ts";
import { createCustomerSummaryReadModel } from "#features/customer-summary/customer-summary.read-model.ts";
import { downloadAdminHandlers } from "#features/download-admin/download-admin.handlers.ts";
import { createDownloadService } from "#features/download-admin/download-admin.service.ts";
import { createDownloadStore } from "#features/download-admin/download-admin.store.ts";
import { createActivityFeed } from "#features/feeds/activity-feed.read-model.ts";
import { feedsHandlers } from "#features/feeds/feeds.handlers.ts";
import { createLoginFeed } from "#features/feeds/login-feed.read-model.ts";
import { createNotificationFeed } from "#features/feeds/notification-feed.read-model.ts";
import { subscriptionReportHandlers } from "#features/subscription-report/subscription-report.handlers.ts";
import { createSubscriptionReportReadModel } from "#features/subscription-report/subscription-report.read-model.ts";
import { userReportHandlers } from "#features/user-report/user-report.handlers.ts";
import { createUserReportReadModel } from "#features/user-report/user-report.read-model.ts";
import type { Authenticators } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { SystemConfig } from "#features/system-config/system-config.service.ts";

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
    recordActivity,
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
