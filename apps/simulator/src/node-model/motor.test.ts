import { describe, expect, test } from "vitest";
import { createInductionMachine, operate } from "./induction-machine.ts";
import { motorRating, standardHorsepowers } from "./motor-table.ts";
import { directStartCurrent, startCurrent } from "./starting.ts";

const out = { powerKw: 0, reactiveKvar: 0, current: 0, slip: 0 };
const fifty = createInductionMachine(50, 460, 4, motorRating(50, 460));

describe("steady state of a 50 hp, 460 V, 4-pole motor", () => {
  const cases: [load: number, powerKw: number, reactiveKvar: number, current: number, powerFactor: number][] = [
    [0, 0.868, 15.03, 18.9, 0.058],
    [0.5, 19.84, 17.13, 32.89, 0.757],
    [0.75, 29.56, 19.75, 44.62, 0.832],
    [1, 39.46, 23.41, 57.58, 0.86],
    [1.15, 45.47, 26.11, 65.81, 0.867],
  ];
  test.each(cases)("at load %d", (load, powerKw, reactiveKvar, current, powerFactor) => {
    operate(fifty, load, 460, out);
    expect(out.powerKw).toBeCloseTo(powerKw, 2);
    expect(out.reactiveKvar).toBeCloseTo(reactiveKvar, 1);
    expect(out.current).toBeCloseTo(current, 1);
    expect(out.powerKw / Math.hypot(out.powerKw, out.reactiveKvar)).toBeCloseTo(powerFactor, 3);
  });

  test("a higher voltage lowers the current and the slip", () => {
    expect(operate(fifty, 0.75, 480, out).current).toBeCloseTo(43.67, 1);
    const slipAt480 = out.slip;
    expect(operate(fifty, 0.75, 460, out).slip).toBeGreaterThan(slipAt480);
  });
});

describe("motor table", () => {
  test("full-load amperes follow from efficiency and power factor", () => {
    expect(motorRating(5, 460).fullLoadAmps).toBeCloseTo(6.4, 1);
    expect(motorRating(50, 460).fullLoadAmps).toBeCloseTo(57.6, 1);
    expect(motorRating(200, 460).fullLoadAmps).toBeCloseTo(224, 0);
  });

  test("locked rotor is 6.1 to 7.3 times full load for every standard power", () => {
    for (const hp of standardHorsepowers) {
      const { lockedRotorAmps, fullLoadAmps } = motorRating(hp, 460);
      expect(lockedRotorAmps / fullLoadAmps, `${hp} hp`).toBeGreaterThan(6.1);
      expect(lockedRotorAmps / fullLoadAmps, `${hp} hp`).toBeLessThan(7.3);
    }
  });

  test("amperes scale with the inverse of the voltage", () => {
    expect(motorRating(500, 4160).lockedRotorAmps).toBeCloseTo((3625 * 460) / 4160, 3);
  });

  test("slip falls from 3 % at 5 hp to 1.2 % from 100 hp", () => {
    expect(motorRating(5, 460).fullLoadSlip).toBeCloseTo(0.03, 6);
    expect(motorRating(100, 460).fullLoadSlip).toBeCloseTo(0.012, 6);
    expect(motorRating(400, 460).fullLoadSlip).toBeCloseTo(0.012, 6);
  });
});

describe("starting current", () => {
  test.each([
    [0, 363],
    [2, 358],
    [2.5, 327],
    [3, 202],
    [3.5, 76],
    [4, 45],
    [5, 40],
  ])("direct on line, 50 hp with 3 s: at %d s %d A", (seconds, amps) => {
    expect(Math.abs(directStartCurrent(seconds, 40, 363, 3) - amps)).toBeLessThan(1);
  });

  test("a soft starter holds its limit, a drive has no inrush, reduced voltage steps at its transition", () => {
    const soft = { method: "soft" as const, accelerationSeconds: 10, limit: 3.5, durationSeconds: 18 };
    expect(startCurrent(soft, 2, 40, 57.6, 363)).toBeCloseTo(3.5 * 57.6, 0);
    const drive = { method: "drive" as const, accelerationSeconds: 10, limit: 1.1, durationSeconds: 18 };
    for (let t = 0; t < 18; t++) expect(startCurrent(drive, t, 40, 57.6, 363)).toBeLessThanOrEqual(1.1 * 57.6);
    const reduced = { method: "reduced" as const, accelerationSeconds: 10, limit: 0.35, durationSeconds: 18 };
    expect(startCurrent(reduced, 5.9, 40, 57.6, 363)).toBeCloseTo(0.35 * 363, 3);
    expect(startCurrent(reduced, 6, 40, 57.6, 363)).toBeGreaterThan(0.5 * 363);
  });
});
