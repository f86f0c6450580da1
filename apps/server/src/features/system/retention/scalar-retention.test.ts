import { afterEach, expect, test, vi } from "vitest";
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
