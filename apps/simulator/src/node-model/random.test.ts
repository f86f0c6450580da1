import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beta25, gaussian, hash32, noise, poisson, uniform } from "./random.ts";

const word = fc.integer({ min: 0, max: 0xffff_ffff });

describe("counter-based randomness", () => {
  test("the same point gives the same bits, a changed coordinate other ones", () => {
    fc.assert(
      fc.property(word, word, word, word, (seed, id, channel, index) => {
        const value = hash32(seed, id, channel, index);
        expect(hash32(seed, id, channel, index)).toBe(value);
        expect(hash32(seed, id, channel, (index + 1) >>> 0)).not.toBe(value);
        expect(hash32(seed, id, channel ^ 1, index)).not.toBe(value);
      }),
    );
  });

  test("uniform values fill [0, 1) evenly", () => {
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 20_000; i++) buckets[Math.floor(uniform(7, 10_234, 3, i) * 10)]!++;
    for (const count of buckets) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test("noise stays in [-1, 1] and is continuous", () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 2_000_000_000 }), fc.integer({ min: 10, max: 5000 }), (seed, t, period) => {
        const value = noise(seed, 1, 2, t, period);
        expect(Math.abs(value)).toBeLessThanOrEqual(1);
        expect(Math.abs(noise(seed, 1, 2, t + 0.01, period) - value)).toBeLessThan(0.01);
      }),
    );
  });

  test("moments of the derived distributions", () => {
    const mean = (draw: (i: number) => number) => Array.from({ length: 20_000 }, (_, i) => draw(i)).reduce((a, b) => a + b) / 20_000;
    expect(mean((i) => gaussian(1, 2, 3, i))).toBeCloseTo(0, 1);
    expect(mean((i) => gaussian(1, 2, 3, i) ** 2)).toBeCloseTo(1, 1);
    expect(mean((i) => beta25(1, 2, 3, i))).toBeCloseTo(2 / 7, 2);
    expect(mean((i) => poisson(0.3, 1, 2, 3, i))).toBeCloseTo(0.3, 1);
  });
});
