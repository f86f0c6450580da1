import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createExpiringCache } from "./expiring-cache.ts";

test("a value is read once until its time is over, for each key, and a failed reading is not kept", async () => {
  const clock = createManualClock();
  const cache = createExpiringCache<string>({ clock, keptMs: 2_000, maxEntries: 2 });
  let reads = 0;
  const get = (key: string) => cache.get(key, async () => `${key}${++reads}`);
  expect(await Promise.all([get("a"), get("a"), get("b")])).toEqual(["a1", "a1", "b2"]);
  clock.advance(1.999);
  expect(await get("a")).toBe("a1");
  clock.advance(0.001);
  expect(await get("a")).toBe("a3");
  expect(await get("c")).toBe("c4");
  expect([await get("a"), await get("b")]).toEqual(["a3", "b5"]);
  await expect(cache.get("d", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await get("d")).toBe("d6");
});
