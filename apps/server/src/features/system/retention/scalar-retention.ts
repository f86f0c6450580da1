import { systemConfigEntries } from "@busbar/contract/system/system-config.ts";

export interface ScalarRetentionOptions {
  /** Of the environment: counts instead of the setting. */
  fixedDays: number | undefined;
  readSetting: () => Promise<number>;
  refreshMs?: number;
}

/** Days for which scalars are kept, known at any moment: a setting that changes is followed within a minute. */
export function createScalarRetention({ fixedDays, readSetting, refreshMs = 60_000 }: ScalarRetentionOptions) {
  let days = fixedDays ?? systemConfigEntries.Retention_scalarDays.default;
  let timer: NodeJS.Timeout | undefined;
  const refresh = async (): Promise<void> => {
    // While the database cannot be asked, what was known counts.
    days = await readSetting().catch(() => days);
  };
  return {
    days: () => days,
    async start(): Promise<void> {
      if (fixedDays !== undefined) return;
      await refresh();
      timer = setInterval(() => void refresh(), refreshMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
