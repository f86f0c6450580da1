import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { expect, test } from "vitest";
import { hasNoLoad, isNoise } from "./no-load.ts";

const currents = (current1: number | null, current2: number | null, current3: number | null, currentNoise?: number) =>
  ({ current1, current2, current3, limits: currentNoise === undefined ? null : { currentNoise } }) as Metering;

test("a current up to the noise of its sensors is none, in either direction", () => {
  const metering = currents(null, null, null, 0.5);
  expect([0, 0.5, -0.5, 0.51, -0.51, null].map((current) => isNoise(metering, current))).toEqual([true, true, true, false, false, false]);
  expect([0, 0.01].map((current) => isNoise(currents(null, null, null), current))).toEqual([true, false]);
});

test("a machine is stopped where every current that is known is noise, and one at least is known", () => {
  expect(hasNoLoad(currents(0.1, -0.2, 0.5, 0.5))).toBe(true);
  expect(hasNoLoad(currents(0.1, null, null, 0.5))).toBe(true);
  expect(hasNoLoad(currents(0.1, 0.2, 0.6, 0.5))).toBe(false);
  expect(hasNoLoad(currents(0.6, 0.1, 0.1, 0.5))).toBe(false);
  expect(hasNoLoad(currents(null, null, null, 0.5))).toBe(false);
});
