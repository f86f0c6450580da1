import { afterEach, expect, test, vi } from "vitest";
import { readRetentionDays } from "./retention-days.ts";
import { createScalarRetention } from "./scalar-retention.ts";

let retention: ReturnType<typeof createScalarRetention> | undefined;
afterEach(() => retention?.stop());

test("the setting is known once it is read, and followed when it changes; while it cannot be read, the last one counts", async () => {
  let setting: number | Error = 10;
  const readSetting = () => (setting instanceof Error ? Promise.reject(setting) : Promise.resolve(setting));
  retention = createScalarRetention({ fixedDays: undefined, readSetting, refreshMs: 5 });
  expect(retention.days()).toBe(3);
  await retention.start();
  expect(retention.days()).toBe(10);
  setting = 20;
  await vi.waitUntil(() => retention!.days() === 20);
  const reads = vi.fn(readSetting);
  setting = new Error("away");
  retention.stop();
  retention = createScalarRetention({ fixedDays: undefined, readSetting: reads, refreshMs: 5 });
  await retention.start();
  await vi.waitUntil(() => reads.mock.calls.length > 2);
  expect(retention.days()).toBe(3);
});

test("the environment's days count instead, and the setting is not even read", async () => {
  const readSetting = vi.fn(() => Promise.resolve(10));
  retention = createScalarRetention({ fixedDays: 7, readSetting });
  await retention.start();
  expect([retention.days(), readSetting.mock.calls.length]).toEqual([7, 0]);
});

test("A-63 each kind is kept for the days of its setting; the environment's count for scalars alone", async () => {
  const get = async (name: string) => name as never;
  expect(await readRetentionDays({ get }, undefined)).toEqual({
    scalars: "Retention_scalarDays",
    files: "Retention_fileDays",
    sensorData: "Retention_sensorDataDays",
    events: "Retention_eventDays",
    notifications: "Retention_notificationDays",
    activities: "Retention_activityDays",
  });
  expect(await readRetentionDays({ get }, 7)).toMatchObject({ scalars: 7, files: "Retention_fileDays" });
});
