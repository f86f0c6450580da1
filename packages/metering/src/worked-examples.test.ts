import { describe, expect, test } from "vitest";
import { ampHours, coveredSeconds, kilowattHours, runningDays } from "./accumulate.ts";
import { distortionPowerFactor, thdOfFundamentalPercent, thdOfTotalPercent, totalOverFundamental } from "./harmonics.ts";
import { imbalancePercent, lostPhase, negativeSequencePercent } from "./imbalance.ts";
import { horsePower, loadPercent, motorEfficiency, slip, synchronousSpeed } from "./motor.ts";
import { meanOfPhases, rootMeanSquare, sum, sumOfPhases } from "./phases.ts";
import { lagOf, measuredPower, phasePower, phaseSplitPercent, totalPower } from "./power.ts";
import { deviationPercent, lineToNeutral, lineToNeutralPhasors } from "./voltage.ts";

const degrees = (angle: number) => (angle * 180) / Math.PI;
const radians = (angle: number) => (angle * Math.PI) / 180;
const rounded = (values: readonly (number | null)[], digits: number) =>
  values.map((value) => (value === null ? null : Number(value.toFixed(digits))));

describe("voltage forms", () => {
  test("line to neutral from the triangle's magnitudes", () => {
    expect(rounded(lineToNeutral([480, 476, 472]), 3)).toEqual([274.832, 277.122, 272.503]);
    expect(rounded(lineToNeutral([480, 480, 480]), 3)).toEqual([277.128, 277.128, 277.128]);
    expect(lineToNeutral([0, 0, 0])).toEqual([0, 0, 0]);
  });

  test("what is no triangle gives zero, never NaN", () => {
    for (const value of lineToNeutral([480, 0, 0])) expect(value).toBeGreaterThanOrEqual(0);
    for (const { magnitude, angle } of lineToNeutralPhasors([480, 100, 100]))
      expect(Number.isFinite(magnitude) && Number.isFinite(angle)).toBe(true);
  });

  test("phasors: 120 degrees apart when balanced, and their differences are the line-to-line voltages", () => {
    expect(
      rounded(
        lineToNeutralPhasors([480, 480, 480]).map(({ angle }) => degrees(angle)),
        6,
      ),
    ).toEqual([0, -120, 120]);
    const lines: [number, number, number] = [480, 476, 472];
    const phasors = lineToNeutralPhasors(lines).map(
      ({ magnitude, angle }) => [magnitude * Math.cos(angle), magnitude * Math.sin(angle)] as const,
    );
    const between = (a: number, b: number) => Math.hypot(phasors[a]![0] - phasors[b]![0], phasors[a]![1] - phasors[b]![1]);
    expect(rounded([between(0, 1), between(1, 2), between(2, 0)], 6)).toEqual(lines);
    expect(rounded([sum(phasors.map(([re]) => re)), sum(phasors.map(([, im]) => im))], 6).map((value) => Math.abs(value ?? 1))).toEqual([
      0, 0,
    ]);
    expect(
      rounded(
        lineToNeutralPhasors([0, 0, 0]).map(({ angle }) => degrees(angle)),
        6,
      ),
    ).toEqual([0, -120, 120]);
  });
});

describe("example 1: voltage imbalance", () => {
  test.each([
    [[480, 476, 472], 0.8403, 0.9704],
    [[460, 467, 450], 1.9608, 2.1465],
    [[462, 463, 455], 1.087, 1.0914],
    [[477, 477, 477], 0, 0],
  ] as const)("%j: NEMA %d %%, u2 %d %%", (volts, nema, u2) => {
    expect(imbalancePercent(volts)).toBeCloseTo(nema, 4);
    expect(negativeSequencePercent(volts)).toBeCloseTo(u2, 4);
  });
  test("nothing to compare", () => {
    expect([imbalancePercent([0, 0, 0]), negativeSequencePercent([0, 0, 0]), imbalancePercent([5, 5, 4], 5)]).toEqual([null, null, null]);
    expect(imbalancePercent([5, 5, 6], 5)).toBeCloseTo(12.5, 10);
  });
});

test.each([
  [[101, 100, 90], 7.2165],
  [[0, 86.6, 86.6], 100],
  [[100, 90, 110], 10],
] as const)("example 2: current imbalance of %j is %d %%", (amps, percent) => {
  expect(imbalancePercent(amps)).toBeCloseTo(percent, 4);
});

describe("example 3: harmonics", () => {
  const ofPercents = (pairs: readonly (readonly [number, number])[]) => new Map([[1, 100], ...pairs]);
  test("a six-pulse drive", () => {
    const thd = thdOfFundamentalPercent(
      ofPercents([
        [5, 38],
        [7, 15],
        [11, 7.5],
        [13, 5.5],
        [17, 4],
        [19, 3],
        [23, 2.5],
        [25, 2],
      ]),
    )!;
    expect(thd).toBeCloseTo(42.3173, 4);
    expect(thdOfTotalPercent(thd)).toBeCloseTo(38.9715, 4);
    expect(totalOverFundamental(thd)).toBeCloseTo(1.08585, 5);
    expect(distortionPowerFactor(thd)).toBeCloseTo(0.92094, 5);
  });
  test("the ideal 1/h to order 25", () => {
    expect(thdOfFundamentalPercent(ofPercents([5, 7, 11, 13, 17, 19, 23, 25].map((order) => [order, 100 / order])))).toBeCloseTo(
      29.0363,
      4,
    );
  });
  test("orders above 40 do not count; the same ideal spectrum to 49 would be 30.0153 %", () => {
    const orders = [5, 7, 11, 13, 17, 19, 23, 25, 29, 31, 35, 37, 41, 43, 47, 49];
    const all = 100 * Math.sqrt(sum(orders.map((order) => 1 / order ** 2)));
    expect(all).toBeCloseTo(30.0153, 4);
    const to40 = 100 * Math.sqrt(sum(orders.filter((order) => order <= 40).map((order) => 1 / order ** 2)));
    expect(thdOfFundamentalPercent(ofPercents(orders.map((order) => [order, 100 / order])))).toBeCloseTo(to40, 10);
  });
  test("the orders 2 and 40 count, each alone", () => {
    for (const order of [2, 40]) expect(thdOfFundamentalPercent(ofPercents([[order, 7]]))).toBeCloseTo(7, 10);
    for (const order of [0, 41]) expect(thdOfFundamentalPercent(ofPercents([[order, 7]]))).toBe(0);
  });
  test("without a fundamental there is no distortion to compute", () => {
    expect(thdOfFundamentalPercent(new Map([[5, 3]]))).toBeNull();
  });
});

test("example 4: balanced 480 V, 100 A, power factor 0.85", () => {
  const phase = phasePower(480 / Math.sqrt(3), 100, Math.acos(0.85));
  const total = totalPower([phase, phase, phase]);
  expect(rounded([total.kva, total.kw, total.kvar, phase.kw, total.powerFactor], 4)).toEqual([83.1384, 70.6677, 43.7959, 23.5559, 0.85]);
  expect(horsePower(total.kw, 1)).toBeCloseTo(94.7669, 4);
  expect(horsePower(total.kw, 0.95)).toBeCloseTo(90.0286, 4);
});

describe("example 5: an unbalanced load", () => {
  const volts = [277, 275, 279];
  const amps = [100, 90, 110];
  const phases = [31, 32, 30].map((lag, phase) => phasePower(volts[phase]!, amps[phase]!, radians(lag)));
  const total = totalPower(phases);
  test("powers of the phases and their sums", () => {
    expect(
      rounded(
        phases.map(({ kw }) => kw),
        4,
      ),
    ).toEqual([23.7435, 20.9892, 26.5783]);
    expect(
      rounded(
        phases.map(({ kvar }) => kvar),
        4,
      ),
    ).toEqual([14.2666, 13.1155, 15.345]);
    expect(
      rounded(
        phases.map(({ kva }) => kva),
        3,
      ),
    ).toEqual([27.7, 24.75, 30.69]);
    expect(rounded([total.kw, sum(phases.map(({ kvar }) => kvar))], 4)).toEqual([71.311, 42.7271]);
  });
  test("apparent power is the arithmetic sum, between the vector and the effective one", () => {
    expect(total.kva).toBeCloseTo(83.14, 4);
    const vector = Math.hypot(total.kw, sum(phases.map(({ kvar }) => kvar)));
    expect(vector).toBeCloseTo(83.1316, 4);
    expect(vector).toBeLessThan(total.kva);
    expect([total.kw / total.kva, total.kw / vector].map((factor) => factor.toFixed(4))).toEqual(["0.8577", "0.8578"]);
    expect(total.powerFactor).toBeCloseTo(0.8577, 4);
  });
  test("reactive power shown, phase split and angles", () => {
    expect(total.kvar).toBeCloseTo(42.7434, 4);
    expect(
      rounded(
        phaseSplitPercent(
          phases.map(({ kw }) => kw),
          amps,
        ) ?? [],
        2,
      ),
    ).toEqual([33.3, 29.43, 37.27]);
    expect(
      rounded(
        phases.map((phase) => degrees(lagOf(phase))),
        6,
      ),
    ).toEqual([31, 32, 30]);
  });
  test("line-to-line voltages of the phasors, and their unbalance", () => {
    const [a, b, c] = volts.map(
      (magnitude, phase) => [magnitude * Math.cos(radians(-120 * phase)), magnitude * Math.sin(radians(-120 * phase))] as const,
    );
    const between = (one: readonly [number, number], other: readonly [number, number]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
    const lines = [between(a!, b!), between(b!, c!), between(c!, a!)] as [number, number, number];
    expect(rounded(lines, 3)).toEqual([478.047, 479.782, 481.511]);
    expect(negativeSequencePercent(lines)).toBeCloseTo(0.4169, 4);
    const effectiveVolts = Math.sqrt((3 * sum(volts.map((v) => v * v)) + sum(lines.map((v) => v * v))) / 18);
    const [ia, ib, ic] = amps.map((magnitude, phase) => {
      const angle = radians(-120 * phase - [31, 32, 30][phase]!);
      return [magnitude * Math.cos(angle), magnitude * Math.sin(angle)] as const;
    });
    const neutral = Math.hypot(ia![0] + ib![0] + ic![0], ia![1] + ib![1] + ic![1]);
    const effectiveAmps = Math.sqrt((sum(amps.map((i) => i * i)) + neutral * neutral) / 3);
    const effective = (3 * effectiveVolts * effectiveAmps) / 1000;
    expect(effective).toBeGreaterThan(total.kva);
    expect(effective).toBeCloseTo(83.7948, 1);
  });
});

test("example 6: deviation from 460 V", () => {
  expect(
    rounded(
      [496.8, 500, 414, 410].map((volts) => deviationPercent(volts, 460)),
      3,
    ),
  ).toEqual([8, 8.696, -10, -10.87]);
});

test("example 7: short-term over-current as the moving mean of minutes", () => {
  const minutes = [112, 118, 120, 116, 113];
  expect(deviationPercent(sum(minutes) / minutes.length, 100)).toBeCloseTo(15.8, 10);
  expect(124 * 1.15).toBeCloseTo(142.6, 10);
});

describe("example 8: what adds up", () => {
  const interval = 60;
  const charge = (times: readonly number[]) =>
    sum(times.slice(1).map((at, index) => ampHours(100, coveredSeconds(at - times[index]!, interval))));
  const minutes = Array.from({ length: 16 }, (_, minute) => minute * 60);
  test("100 A for 15 minutes are 25 Ah", () => {
    expect(charge(minutes)).toBeCloseTo(25, 10);
  });
  test("a gap adds 1.5 intervals at most", () => {
    // Five minutes are missing: the sample after them stands for 90 s.
    const withGap = minutes.filter((at) => at <= 300 || at >= 600);
    expect(charge(withGap)).toBeCloseTo(16.667 + ampHours(100, 90), 3);
    expect(ampHours(100, 600)).toBeCloseTo(16.667, 3);
  });
  test("time that runs backwards adds nothing", () => {
    expect([coveredSeconds(-5, 10), coveredSeconds(0, 10), coveredSeconds(15, 10), coveredSeconds(15.01, 10)]).toEqual([0, 0, 15, 15]);
  });
  test("energy, export, running days", () => {
    expect([kilowattHours(60, 900), kilowattHours(-60, 900), runningDays(129_600)]).toEqual([15, -15, 1.5]);
  });
  test("slip of a 4-pole motor at 1775 rpm", () => {
    expect(slip(synchronousSpeed(60, 4), 1775)).toBeCloseTo(0.0139, 4);
  });
});

test("example 9: single phasing", () => {
  expect(lostPhase([0.2, 172, 174], 1)).toBe(1);
  expect([lostPhase([170, 172, 174], 1), lostPhase([0, 0, 174], 1), lostPhase([0, 0, 0], 1), lostPhase([170, 1, 174], 1)]).toEqual([
    undefined,
    undefined,
    undefined,
    2,
  ]);
});

describe("the rest of the table", () => {
  test("phases that are not wired have no part", () => {
    expect(meanOfPhases([100, 50, Number.NaN], [true, true, true])).toBe(75);
    expect(meanOfPhases([100, 50, 6], [true, false, false])).toBe(100);
    expect([meanOfPhases([1, 2, 3], [false, false, false]), sumOfPhases([Number.NaN, Number.NaN, Number.NaN])]).toEqual([null, null]);
    expect(sumOfPhases([1, 2, 3], [true, false, true])).toBe(4);
    expect([meanOfPhases([1, 2, 6]), sumOfPhases([1, 2, 6])]).toEqual([3, 9]);
  });
  test("RMS values aggregate by their squares", () => {
    expect(rootMeanSquare([3, 4])).toBeCloseTo(Math.sqrt(12.5), 12);
    expect(rootMeanSquare([])).toBeNull();
  });
  test("a generator's power is negative, and so is its power factor", () => {
    const phase = measuredPower(-20, 15);
    expect(phase).toEqual({ kw: -20, kvar: 15, kva: 25, powerFactor: -0.8 });
    expect(totalPower([phase, phase, phase])).toMatchObject({ kw: -60, kva: 75, powerFactor: -0.8 });
    expect(totalPower([measuredPower(20, -15)]).kvar).toBeCloseTo(-15, 10);
  });
  test("nothing flows: power factor and split have no value", () => {
    expect(totalPower([measuredPower(0, 0)])).toEqual({ kw: 0, kvar: 0, kva: 0, powerFactor: null });
    expect(phaseSplitPercent([0, 0, 0], [0, 0, 0])).toBeNull();
    expect(phaseSplitPercent([0, 0, 0], [1, 1, 2])).toEqual([25, 25, 50]);
    expect([0, -0].map((kw) => lagOf({ kw, kvar: 0 }))).toEqual([0, 0]);
    expect([lagOf({ kw: 0, kvar: 2 }), lagOf({ kw: -2, kvar: 0 })]).toEqual([Math.PI / 2, Math.PI]);
  });
  test("efficiency by horse power: the table's rows, between them, beyond them", () => {
    const table = { 5: 0.895, 10: 0.917, 15: 0.924, 20: 0.93, 25: 0.936, 30: 0.936, 40: 0.941, 50: 0.945, 60: 0.95, 75: 0.954 };
    for (const [hp, efficiency] of Object.entries({ ...table, 100: 0.954, 125: 0.954, 150: 0.958, 200: 0.962 }))
      expect(motorEfficiency(Number(hp)), `${hp} hp`).toBeCloseTo(efficiency, 10);
    expect([12.5, 45, 110, 137.5].map((hp) => Number(motorEfficiency(hp).toFixed(4)))).toEqual([0.9205, 0.943, 0.954, 0.956]);
    expect([motorEfficiency(1), motorEfficiency(500)]).toEqual([0.895, 0.962]);
    expect(loadPercent(75, 100)).toBe(75);
  });
});
