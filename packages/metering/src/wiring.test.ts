import { describe, expect, test } from "vitest";
import { add, magnitudeOf, polar, scaled, symmetricalComponents, type Complex } from "./complex.ts";
import { expectedLag } from "./expected-lag.ts";
import { judgeWiring } from "./judge-wiring.ts";
import { wiringWords } from "./wiring-words.ts";
import type { WiredMachine, WiringFault, WiringReadings } from "./wiring.ts";

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const three = <T>(make: (phase: number) => T): [T, T, T] => [make(0), make(1), make(2)];
const minus = (a: Complex, b: Complex) => add(a, scaled(b, -1));

/** 50 hp, 460 V, 4 poles: 57.6 A at 0.86. */
const motor: WiredMachine = {
  kind: "induction",
  npVoltage: 460,
  npCurrent: 57.6,
  npHp: 50,
  poles: 4,
  voltageNoise: 5,
  currentNoise: 0.6,
};
const main: WiredMachine = { ...motor, kind: "main", npCurrent: 800, npHp: undefined };

interface Plant {
  /** Phase (from 0) that each voltage input is on; undefined: open. */
  taps?: readonly (number | undefined)[];
  /** Phase (from 0) of each current input, and its sign and ratio. */
  cts?: readonly number[];
  ratios?: readonly number[];
  lineVolts?: number;
  amps?: number;
  /** Degrees by which the current lags. */
  lag?: number;
  /** Negative over positive sequence, and its angle in degrees. */
  voltageUnbalance?: number;
  currentUnbalance?: number;
  angle?: number;
  isLineForNeutral?: boolean;
}

/** What a node measures in such a plant; by phasors of its own. */
function measure(plant: Plant = {}): WiringReadings {
  const { taps = [0, 1, 2], cts = [0, 1, 2], ratios = [1, 1, 1], lineVolts = 475, amps = 45, lag = 34, angle = 0 } = plant;
  const { voltageUnbalance = 0.005, currentUnbalance = 0.04, isLineForNeutral = false } = plant;
  const turn = (k: number) => radians(-120 * k);
  const neutral = three((k) =>
    add(polar(lineVolts / Math.sqrt(3), turn(k)), polar((voltageUnbalance * lineVolts) / Math.sqrt(3), radians(angle) - turn(k))),
  );
  const current = three((k) => add(polar(amps, turn(k) - radians(lag)), polar(amps * currentUnbalance, radians(angle - 75) - turn(k))));
  const source = isLineForNeutral ? three((k) => minus(neutral[k]!, neutral[(k + 1) % 3]!)) : neutral;
  const present = taps.filter((tap) => tap !== undefined).map((tap) => source[tap]!);
  const star = scaled(present.reduce(add), 1 / present.length);
  const volts = three((k) => minus(taps[k] === undefined ? star : source[taps[k]]!, star));
  const through = three((k) => scaled(current[cts[k]!]!, ratios[k]!));
  return {
    lineToLine: three((k) => magnitudeOf(minus(volts[k]!, volts[(k + 1) % 3]!))),
    currents: three((k) => magnitudeOf(through[k]!)),
    kw: three((k) => (volts[k]!.re * through[k]!.re + volts[k]!.im * through[k]!.im) / 1000),
    kvar: three((k) => (volts[k]!.im * through[k]!.re - volts[k]!.re * through[k]!.im) / 1000),
    currentThd: undefined,
    isStarting: false,
  };
}

describe("what is named", () => {
  const cases: [string, Plant, WiringFault[], string][] = [
    ["nothing", {}, [], "The wiring is right: each current follows the voltage of its own phase."],
    ["a turned CT", { ratios: [1, -1, 1] }, [{ kind: "reversed", phases: [2] }], "The CT of phase 2 is turned round."],
    ["two", { ratios: [-1, 1, -1] }, [{ kind: "reversed", phases: [1, 3] }], "The CTs of phases 1 and 3 are turned round."],
    ["all", { ratios: [-1, -1, -1] }, [{ kind: "reversed", phases: [1, 2, 3] }], "All three CTs are turned round."],
    [
      "exchanged currents",
      { cts: [1, 0, 2] },
      [{ kind: "swapped-currents", phases: [1, 2] }],
      "The currents of phases 1 and 2 are exchanged.",
    ],
    [
      "exchanged voltages",
      { taps: [0, 2, 1] },
      [{ kind: "swapped-voltages", phases: [2, 3] }],
      "The voltages of phases 2 and 3 are exchanged.",
    ],
    [
      "currents of the next phase",
      { cts: [1, 2, 0] },
      [{ kind: "displaced", by: 1 }],
      "Voltages and currents are of different phases: beside the voltages of phases 1, 2 and 3 are the currents of phases 2, 3 and 1.",
    ],
    [
      "voltages of the next phase",
      { taps: [1, 2, 0] },
      [{ kind: "displaced", by: 2 }],
      "Voltages and currents are of different phases: beside the voltages of phases 1, 2 and 3 are the currents of phases 3, 1 and 2.",
    ],
    [
      "the rotation, in uneven currents",
      { taps: [1, 0, 2], cts: [1, 0, 2] },
      [{ kind: "rotation" }],
      "The phases turn 1, 3, 2 and not 1, 2, 3.",
    ],
    [
      "exchanged currents with a turned CT",
      { cts: [2, 1, 0], ratios: [1, 1, -1] },
      [
        { kind: "swapped-currents", phases: [1, 3] },
        { kind: "reversed", phases: [3] },
      ],
      "The currents of phases 1 and 3 are exchanged. The CT of phase 3 is turned round.",
    ],
    [
      "line to line for neutral",
      { isLineForNeutral: true },
      [{ kind: "line-for-neutral" }],
      "Line-to-line voltages are on inputs for line to neutral: they are 1.73 times too high.",
    ],
    ["a missing current", { ratios: [1, 1, 0] }, [{ kind: "no-current", phases: [3] }], "Phase 3 has no current while the others have."],
    [
      "a missing voltage",
      { taps: [undefined, 1, 2] },
      [{ kind: "no-voltage", phases: [1] }],
      "The voltage of phase 1 is missing: its tap is open.",
    ],
    [
      "two taps on one conductor",
      { taps: [0, 0, 2] },
      [{ kind: "joined-voltages", phases: [1, 2] }],
      "The voltage taps of phases 1 and 2 are on one conductor.",
    ],
    [
      "5 A for 1 A",
      { ratios: [5, 5, 5] },
      [{ kind: "current-ratio", factor: 5 }],
      "The CT ratio is wrong: its current is shown 5 times too great.",
    ],
    [
      "one CT of another ratio",
      { ratios: [1, 0.5, 1] },
      [{ kind: "current-ratio", factor: 0.5, phase: 2 }],
      "The ratio of the CT of phase 2 is wrong: its current is shown 2 times too small.",
    ],
    [
      "a wrong PT ratio",
      { lineVolts: 115 },
      [{ kind: "voltage-ratio", factor: 0.25 }],
      "The voltages do not fit the nameplate: they are 25 % of it.",
    ],
    [
      "voltages a third too great",
      { lineVolts: 460 * 1.3 },
      [{ kind: "voltage-ratio", factor: 1.3 }],
      "The voltages do not fit the nameplate: they are 130 % of it.",
    ],
  ];
  test.each(cases)("%s", (_name, plant, faults, sentence) => {
    const verdict = judgeWiring(measure(plant), motor);
    const rounded = verdict.faults.map((fault) => ("factor" in fault ? { ...fault, factor: Number(fault.factor.toFixed(2)) } : fault));
    expect([verdict.outcome, rounded]).toEqual([faults.length === 0 ? "right" : "wrong", faults]);
    const words = wiringWords(verdict);
    expect(words.sentence).toBe(sentence);
    expect(words.actions).toHaveLength(faults.length);
  });

  test("what ought to be has each current behind its own voltage, with what was exchanged put back", () => {
    const { is, ought } = judgeWiring(measure({ cts: [1, 0, 2], ratios: [1, 1, -1] }), motor);
    const lags = (phasors: typeof is) =>
      phasors!.voltages.map(({ angle }, k) => Math.round((((angle - phasors!.currents[k]!.angle) * 180) / Math.PI + 720) % 360));
    expect(lags(ought).every((lag) => Math.abs(lag - 34) <= 3)).toBe(true);
    expect(lags(is).some((lag) => lag > 90)).toBe(true);
    expect(ought!.currents[0].magnitude).toBeCloseTo(is!.currents[1].magnitude, 6);
  });
});

describe("what is left open", () => {
  test("without load, in a start, and where the powers are not those of voltage and current", () => {
    expect(judgeWiring(measure({ amps: 0.5 }), motor)).toMatchObject({ outcome: "open", reason: "no-load", faults: [] });
    expect(judgeWiring({ ...measure(), isStarting: true }, motor)).toMatchObject({ outcome: "open", reason: "starting" });
    // Of one input alone is enough: its current is 45 A, which is 12.3 kVA.
    for (const kw of [5, 22]) {
      const powers = { kw: [kw, 10.2, 10.2] as const, kvar: [0, 6.9, 6.9] as const };
      expect(judgeWiring({ ...measure(), ...powers }, motor)).toMatchObject({ outcome: "open", reason: "contradiction" });
    }
    expect(judgeWiring({ ...measure(), lineToLine: [0, 0, 0], currents: [0, 0, 0] }, motor)).toMatchObject({
      outcome: "open",
      reason: "no-load",
    });
  });

  test("the voltages are judged without load too", () => {
    expect(judgeWiring(measure({ amps: 0, taps: [0, undefined, 2] }), motor).faults).toEqual([{ kind: "no-voltage", phases: [2] }]);
  });

  test("a main that may feed back: all CTs turned or power that comes back", () => {
    const verdict = judgeWiring(measure({ ratios: [-1, -1, -1], amps: 300, lag: 25 }), main);
    expect(verdict).toMatchObject({ outcome: "open", reason: "several", ought: undefined });
    expect(wiringWords(verdict).candidates).toEqual(
      expect.arrayContaining(["The wiring is right and power flows back.", "All three CTs are turned round."]),
    );
  });

  test("a ratio for which two settings fit equally names both", () => {
    const verdict = judgeWiring(measure({ ratios: [5, 5, 5], amps: 40, lag: 20 }), { ...motor, kind: "drive" });
    expect(verdict.candidates).toEqual([5, 10].map((factor) => ({ faults: [{ kind: "current-ratio", factor }], isGenerating: false })));
    expect(verdict.reason).toBe("several");
  });

  test("even currents show no rotation, and a motor without a nameplate no ratio: both is said", () => {
    const even = measure({ currentUnbalance: 0.001, voltageUnbalance: 0 });
    expect(judgeWiring(even, { ...motor, npCurrent: undefined, npVoltage: undefined })).toMatchObject({
      outcome: "right",
      notShown: ["rotation", "voltage-level", "current-ratio"],
    });
    expect(judgeWiring(measure(), motor).notShown).toEqual([]);
    expect(judgeWiring(even, motor).notShown).toEqual(["rotation"]);
  });

  test("currents that fit no wiring are not explained away", () => {
    expect(judgeWiring(measure({ ratios: [1, 1.7, 1.3], currentUnbalance: 0 }), motor)).toMatchObject({
      outcome: "open",
      reason: "no-fit",
    });
  });
});

describe("the lag of an induction motor", () => {
  const degreesOf = (share: number) => {
    const range = expectedLag(motor, share, 1);
    return range && [range.least, range.most].map((angle) => Math.round((angle * 180) / Math.PI));
  };
  test("at full load by its nameplate, ever greater with less load, none beyond what it can draw", () => {
    // 50 hp, 57.6 A at 460 V: a power factor of 0.86 ± 0.035, 3° of error
    expect(degreesOf(1)).toEqual([24, 37]);
    expect(degreesOf(0.5)![0]).toBeGreaterThan(degreesOf(1)![0]!);
    expect(degreesOf(0.33)![1]).toBe(90);
    expect([degreesOf(1.36), degreesOf(0.2)]).toEqual([undefined, undefined]);
  });
});

/** The same row of numbers between 0 and 1 at each run. */
function createDraw(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return least + ((most - least) * state) / 2 ** 32;
  };
}

test("symmetrical components of three phasors put together again are the phasors", () => {
  const draw = createDraw(7);
  for (let run = 0; run < 100; run++) {
    const phasors = three(() => ({ re: draw(-100, 100), im: draw(-100, 100) }));
    const { zero, positive, negative } = symmetricalComponents(phasors);
    const sum = add(zero, add(positive, negative));
    expect(sum.re).toBeCloseTo(phasors[0].re, 9);
    expect(sum.im).toBeCloseTo(phasors[0].im, 9);
  }
});

test("a machine that is wired right is never said to be wired wrong: any usual load, imbalance and error of its instruments", () => {
  const draw = createDraw(11);
  for (let run = 0; run < 1_000; run++) {
    const [load, voltage, unbalance] = [draw(0.2, 1.2), draw(0.94, 1.06), draw(0, 0.015)];
    // No-load current over full load, and the full-load power factor, as motors of four poles have them
    const [magnetising, powerFactor] = [draw(0.27, 0.42), draw(0.84, 0.88)];
    const sine = Math.sqrt(1 - powerFactor ** 2);
    const active = (powerFactor * load) / voltage;
    const reactive = magnetising * voltage + ((sine - magnetising) * load ** 2) / voltage;
    const share = Math.hypot(active, reactive);
    const exact = measure({
      lineVolts: 460 * voltage,
      amps: 57.6 * share,
      lag: (Math.atan2(reactive, active) * 180) / Math.PI,
      voltageUnbalance: unbalance,
      currentUnbalance: (unbalance * 6.3) / share,
      angle: draw(0, 360),
    });
    const gains = three(() => draw(0.995, 1.005));
    const errors = three(() => radians(draw(-0.5, 0.5)));
    const turnedBy = (first: readonly number[], second: readonly number[], sign: number) =>
      three((k) => gains[k]! * (first[k]! * Math.cos(errors[k]!) + sign * second[k]! * Math.sin(errors[k]!)));
    const readings = {
      ...exact,
      currents: three((k) => exact.currents[k]! * gains[k]!),
      kw: turnedBy(exact.kw, exact.kvar, -1),
      kvar: turnedBy(exact.kvar, exact.kw, 1),
    };
    expect([run, judgeWiring(readings, motor).faults]).toEqual([run, []]);
    expect([run, judgeWiring(readings, motor).outcome]).toEqual([run, "right"]);
  }
});
