import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";

/** Days for which each kind of data is kept. */
export interface RetentionDays {
  scalars: number;
  files: number;
  sensorData: number;
  events: number;
  notifications: number;
  activities: number;
}

/** @param scalarDays of the environment, which counts before the setting */
export async function readRetentionDays(systemConfig: Pick<SystemConfig, "get">, scalarDays: number | undefined): Promise<RetentionDays> {
  const [scalars, files, sensorData, events, notifications, activities] = await Promise.all([
    scalarDays ?? systemConfig.get("Retention_scalarDays"),
    systemConfig.get("Retention_fileDays"),
    systemConfig.get("Retention_sensorDataDays"),
    systemConfig.get("Retention_eventDays"),
    systemConfig.get("Retention_notificationDays"),
    systemConfig.get("Retention_activityDays"),
  ]);
  return { scalars, files, sensorData, events, notifications, activities };
}
