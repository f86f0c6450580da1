import { expect, test } from "vitest";
import { createRebirthLimiter } from "./rebirth-limiter.ts";

test("a node is asked once per 5 s, doubling to 5 min", () => {
  const limiter = createRebirthLimiter();
  const asked: number[] = [];
  for (let second = 0; second < 1_500; second++) if (limiter.tryAcquire("10234", second * 1000)) asked.push(second);
  expect(asked).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915, 1215]);
});

test("a node that stayed well after its birth starts over", () => {
  const limiter = createRebirthLimiter();
  expect(limiter.tryAcquire("a", 0)).toBe(true);
  expect(limiter.tryAcquire("a", 5_000)).toBe(true);
  limiter.noteBirth("a", 5_100);
  expect(limiter.tryAcquire("a", 6_000)).toBe(false);
  expect(limiter.tryAcquire("a", 65_100)).toBe(true);
  expect(limiter.tryAcquire("a", 70_099)).toBe(false);
  expect(limiter.tryAcquire("a", 70_100)).toBe(true);
});

test("a node that is born again was not well since its birth before", () => {
  const limiter = createRebirthLimiter();
  for (const second of [0, 5, 15, 35]) expect(limiter.tryAcquire("a", second * 1000)).toBe(true);
  limiter.noteBirth("a", 36_000);
  limiter.noteBirth("a", 90_000);
  expect(limiter.tryAcquire("a", 97_000)).toBe(true);
  expect(limiter.tryAcquire("a", 103_000)).toBe(false);
});

test("all nodes together are asked 50 times a second, no one is starved for ever", () => {
  const limiter = createRebirthLimiter();
  const nodes = Array.from({ length: 200 }, (_, index) => `n${index}`);
  const ask = (now: number) => nodes.filter((node) => limiter.tryAcquire(node, now)).length;
  expect([ask(0), ask(1_000), ask(2_000), ask(3_000)]).toEqual([50, 50, 50, 50]);
});

test("what is long over is forgotten", () => {
  const limiter = createRebirthLimiter();
  for (let index = 0; index < 40; index++) limiter.tryAcquire(`n${index}`, 0);
  limiter.tryAcquire("young", 100);
  limiter.tryAcquire("last", 599_999);
  expect(limiter.size).toBe(42);
  limiter.tryAcquire("last", 600_000);
  expect(limiter.size).toBe(2);
});
