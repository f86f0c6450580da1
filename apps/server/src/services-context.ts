import { createAlarms, type AlarmsDependencies } from "./context/alarms.ts";
import { readBillingNotices, readBillingSettings } from "#features/office/billing/billing-settings.ts";
import { createBillingReadModel } from "#features/office/billing/billing.read-model.ts";
import { readRetentionDays } from "#features/system/retention/retention-days.ts";

/** What the services work with beside the database: limits of alarms, what is sent and to whom, days for which data is kept. */
export function createServicesContext(dependencies: AlarmsDependencies) {
  const { pool, config, systemConfig } = dependencies;
  return {
    ...createAlarms(dependencies),
    billingNotices: {
      readModel: createBillingReadModel(pool),
      settings: () => readBillingSettings(systemConfig),
      notices: () => readBillingNotices(systemConfig),
    },
    retentionDays: () => readRetentionDays(systemConfig, config.scalarRetentionDays),
  };
}
export type ServicesContext = ReturnType<typeof createServicesContext>;
