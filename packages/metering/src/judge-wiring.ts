import { add, angleOf, magnitudeOf, polar, scaled, symmetricalComponents, wrapped, type Complex } from "./complex.ts";
import { expectedLag } from "./expected-lag.ts";
import { sum, type PhaseValues } from "./phases.ts";
import { lineToNeutral, lineToNeutralPhasors, type Phasor } from "./voltage.ts";
import { arrangements, type Arrangement } from "./wiring-arrangements.ts";
import { judgeVoltages, type VoltageFindings } from "./wiring-voltages.ts";
import type {
  Phase,
  WiredMachine,
  WiringExplanation,
  WiringFault,
  WiringPhasors,
  WiringReadings,
  WiringVerdict,
  NoVerdictReason,
} from "./wiring.ts";

const phases = [1, 2, 3] as const;
/** Settings and ratios that are mistaken for one another: 5 A for 1 A, a doubled or halved primary, a decimal. */
const usualFactors: readonly number[] = [2, 5, 10, 1 / 2, 1 / 5, 1 / 10];
const wrongRatioCost = 1.25;
const generatingCost = 1;
/** Explanations whose costs differ by less fit about equally. */
const clearBy = 0.7;

const leastShareOfFullLoad = 0.02;
const noCurrentShare = 0.04;
/** Zero and opposite sequence of the current over the sequence of the voltage. */
const mostNegative = 0.75;
const mostZero = { threeWire: 0.12, unknownDistortion: 0.15, fourWire: 0.5 };
/** A zero sequence this small may be errors of the CTs. */
const leastTellingZero = 0.025;
const tellingRatio = 3;

/**
 * Names what is wrong between the lines of a machine and the inputs of its node, from one moment of their values.
 *
 * What a node reports of angles is, for each input, by how much its current lags its voltage to neutral (from P and Q). Every way in which three
 * currents can reach three inputs is held against it: two directions of rotation, six orders, eight signs. One fits when the currents, put back, are
 * what three wires can carry (Kirchhoff: their sum, the zero sequence, is small), turn as the voltages do (the negative sequence is small, IEEE 1459,
 * 3.2) and lag by what the machine can (`expectedLag`). Of those that fit, the one with the fewest mistakes is named, when no other has about as few.
 *
 * The rotation is not in the magnitudes of voltages. But the same lags seen in the wrong rotation turn a current's negative sequence into a zero
 * sequence, which three wires do not carry; so an uneven current shows the rotation, an even one does not. Two exchanged inputs are seen as such; that it
 * is the voltages and not the currents is said on the ground that the supply turns 1, 2, 3.
 *
 * Machines of the kinds `main` and `synchronous` may generate; an induction motor is taken to drive its load, because beside a current of the next phase
 * a regenerating one would look the same.
 */
export function judgeWiring(readings: WiringReadings, machine: WiredMachine): WiringVerdict {
  const { currents, lineToLine } = readings;
  const voltages = judgeVoltages(lineToLine, machine);
  const greatest = Math.max(...currents);
  const isIdle = greatest <= Math.max(machine.currentNoise, leastShareOfFullLoad * (machine.npCurrent ?? 0));
  const is = voltages.isBroken ? undefined : seen(readings, false);
  const noVoltage =
    voltages.isBroken && voltages.faults.some(({ kind, ...of }) => kind === "no-voltage" && "phases" in of && of.phases.length === 3);
  if (noVoltage && isIdle) return open("no-load", is);
  if (isIdle) return voltages.faults.length > 0 ? wrong(voltages.faults, is) : open("no-load", is);
  const lost = phases.filter((phase) => currents[phase - 1]! <= Math.max(machine.currentNoise, noCurrentShare * greatest));
  if (voltages.isBroken || lost.length > 0) {
    const faults: WiringFault[] = [...voltages.faults, ...(lost.length > 0 ? [{ kind: "no-current", phases: lost } as const] : [])];
    return wrong(faults, is, voltages.isBroken ? undefined : filledUp(readings, lost));
  }
  if (readings.isStarting) return open("starting", is);
  if (isContradiction(readings)) return open("contradiction", is);
  return explain(readings, machine, voltages);
}

const open = (reason: NoVerdictReason, is: WiringPhasors | undefined): WiringVerdict => ({
  outcome: "open",
  faults: [],
  reason,
  candidates: [],
  notShown: [],
  is,
  ought: undefined,
});

const wrong = (faults: readonly WiringFault[], is: WiringPhasors | undefined, ought?: WiringPhasors): WiringVerdict => ({
  outcome: "wrong",
  faults,
  reason: undefined,
  candidates: [],
  notShown: [],
  is,
  ought,
});

/** S of P and Q is that of voltage and current, or one of them was measured at another time. */
function isContradiction({ lineToLine, currents, kw, kvar }: WiringReadings): boolean {
  const neutral = lineToNeutral(lineToLine);
  return currents.some((amps, phase) => {
    const measured = Math.hypot(kw[phase]!, kvar[phase]!);
    const product = (neutral[phase]! * amps) / 1000;
    return measured < 0.6 * product || measured > 1.6 * product;
  });
}

/** What an arrangement makes of the measured lags. */
interface Fit {
  arrangement: Arrangement;
  /** RMS over fundamental that was assumed; undefined where it is known. */
  distortion: number | undefined;
  /** Amperes by phase, put back in order, each kind of fault undone. */
  currents: readonly [Complex, Complex, Complex];
  /** By which the positive sequence lags. */
  lag: number;
  zero: number;
  negative: number;
  isRotationShown: boolean;
}

interface Explanation extends WiringExplanation {
  cost: number;
  fit: Fit;
  /** By which a wrong kind of voltage tap turns all lags. */
  turn: number;
  factor: number;
}

function explain(readings: WiringReadings, machine: WiredMachine, voltages: VoltageFindings): WiringVerdict {
  const fits = fitsOf(readings, machine);
  const isPlain = fits.some(({ arrangement }) => arrangement.faults.every(({ kind }) => kind !== "rotation"));
  // A ratio of its own in one phase can look like a wrong rotation.
  const explanations = [
    ...explanationsOf(fits, readings, machine, voltages),
    ...(isPlain ? [] : unequalRatios(readings, machine, voltages)),
  ];
  const sorted = explanations.toSorted((a, b) => a.cost - b.cost);
  const [best] = sorted;
  if (!best) return open("no-fit", seen(readings, false));
  const rivals = sorted.filter(({ cost }) => cost < best.cost + clearBy).filter(isFirstOfItsKind);
  const is = seen(readings, best.fit.arrangement.isReversedRotation);
  if (rivals.length > 1) {
    const candidates = rivals.map(({ faults, isGenerating }) => ({ faults, isGenerating }));
    return { ...open("several", is), candidates };
  }
  const notShown: WiringVerdict["notShown"][number][] = [];
  if (!best.fit.isRotationShown) notShown.push("rotation");
  if (machine.npVoltage === undefined) notShown.push("voltage-level");
  const isRatioKnown = best.faults.some(({ kind }) => kind === "current-ratio");
  if (!isRatioKnown && (machine.npCurrent === undefined || otherRatios(best, explanations))) notShown.push("current-ratio");
  return {
    outcome: best.faults.length > 0 ? "wrong" : "right",
    faults: best.faults,
    reason: undefined,
    candidates: [],
    notShown,
    is,
    ought: corrected(best, readings, voltages),
  };
}

const keyOf = ({ faults, isGenerating }: WiringExplanation): string => JSON.stringify([faults, isGenerating]);
const isFirstOfItsKind = (each: Explanation, index: number, all: readonly Explanation[]): boolean =>
  all.findIndex((other) => keyOf(other) === keyOf(each)) === index;

/** Whether the same currents would fit the nameplate with another ratio too. */
const otherRatios = (best: Explanation, all: readonly Explanation[]): boolean =>
  all.some(({ fit, factor }) => fit.arrangement === best.fit.arrangement && factor !== best.factor);

function fitsOf(readings: WiringReadings, machine: WiredMachine): Fit[] {
  const isDistortionUnknown = readings.currentThd === undefined && (machine.kind === "drive" || machine.kind === "rectifier");
  const zeroLimit = machine.kind === "main" ? mostZero.fourWire : isDistortionUnknown ? mostZero.unknownDistortion : mostZero.threeWire;
  const distortions = isDistortionUnknown ? usualDistortions : [undefined];
  const all = arrangements.flatMap((arrangement) => distortions.map((distortion) => fitOf(arrangement, readings, distortion)));
  return all
    .filter(({ zero, negative }) => zero <= zeroLimit && negative <= mostNegative)
    .flatMap((fit) => {
      const { arrangement } = fit;
      if (isImplied(arrangement)) return [{ ...fit, isRotationShown: true }];
      // A neutral conductor may carry the sum.
      const twin = machine.kind === "main" ? undefined : twinOf(fit, all);
      const isRotationShown = twin !== undefined && isTelling(fit, twin);
      if (arrangement.isReversedRotation) return isRotationShown ? [{ ...fit, isRotationShown }] : [];
      return twin !== undefined && isTelling(twin, fit) ? [] : [{ ...fit, isRotationShown }];
    });
}

/** RMS over fundamental of a six-pulse bridge without and with a reactor, and of the newer kinds. */
const usualDistortions = [1, 1.05, 1.1, 1.2, 1.3, 1.4];

function fitOf(arrangement: Arrangement, readings: WiringReadings, distortion: number | undefined): Fit {
  const { isReversedRotation, order, signs } = arrangement;
  const voltages = inRotation(readings.lineToLine, isReversedRotation);
  const currents: [Complex, Complex, Complex] = [polar(0, 0), polar(0, 0), polar(0, 0)];
  for (const [input, phase] of order.entries())
    currents[phase - 1] = scaled(currentOf(readings, input, voltages[input]!.angle, distortion), signs[input]!);
  const ofVoltage = symmetricalComponents(voltages.map(({ magnitude, angle }) => polar(magnitude, angle)) as [Complex, Complex, Complex]);
  const { zero, positive, negative } = symmetricalComponents(currents);
  const [same, opposite, reference] = isReversedRotation
    ? [negative, positive, ofVoltage.negative]
    : [positive, negative, ofVoltage.positive];
  const size = Math.max(magnitudeOf(same), Number.MIN_VALUE);
  return {
    arrangement,
    distortion,
    currents,
    lag: wrapped(angleOf(reference) - angleOf(same)),
    zero: magnitudeOf(zero) / size,
    negative: magnitudeOf(opposite) / size,
    isRotationShown: false,
  };
}

function inRotation(lineToLine: PhaseValues, isReversed: boolean): [Phasor, Phasor, Phasor] {
  const phasors = lineToNeutralPhasors(lineToLine);
  return isReversed ? (phasors.map(({ magnitude, angle }) => ({ magnitude, angle: -angle })) as [Phasor, Phasor, Phasor]) : phasors;
}

/** The fundamental of an input's current. Q holds the distortion too; without it cos φ₁ = P/(V·I₁), I₁ = I/√(1 + THD²) (IEEE 1459, 3.1.2). */
function currentOf({ currents, kw, kvar, currentThd }: WiringReadings, input: number, voltageAngle: number, distortion?: number): Complex {
  const own = distortion ?? Math.hypot(1, (currentThd?.[input] ?? 0) / 100);
  const kva = Math.hypot(kw[input]!, kvar[input]!);
  const cosine = kva === 0 ? 1 : Math.min(1, Math.max(-1, (kw[input]! * own) / kva));
  const lag = Math.acos(cosine) * (kvar[input]! < 0 ? -1 : 1);
  return polar(currents[input]! / own, voltageAngle - lag);
}

const twinOf = ({ arrangement, distortion }: Fit, all: readonly Fit[]): Fit | undefined =>
  all.find(
    ({ arrangement: other, distortion: itsDistortion }) =>
      itsDistortion === distortion &&
      other.isReversedRotation !== arrangement.isReversedRotation &&
      other.order.join() === arrangement.order.join() &&
      other.signs.join() === arrangement.signs.join(),
  );

/** The same order in the other rotation leaves a far greater sum of currents. */
const isTelling = (fit: Fit, twin: Fit): boolean => twin.zero >= leastTellingZero && fit.zero * tellingRatio <= twin.zero;

/** Two exchanged inputs fit one rotation only. */
const isImplied = ({ order }: Arrangement): boolean => order.filter((phase, input) => phase !== input + 1).length === 2;

function explanationsOf(
  fits: readonly Fit[],
  readings: WiringReadings,
  machine: WiredMachine,
  voltages: VoltageFindings,
  known: readonly WiringFault[] = [],
  knownCost = 0,
): Explanation[] {
  // The loads of a main need not be even.
  const amps = machine.kind === "main" ? readings.currents.toSorted((a, b) => a - b)[1]! : sum(readings.currents) / 3;
  const share = machine.npCurrent === undefined ? undefined : amps / machine.npCurrent;
  const factors = share === undefined ? [1] : [1, ...usualFactors];
  // A wrong kind of tap turns the lags, a wrong setting of the kind does not.
  const turns =
    voltages.turn === 0
      ? [{ turn: 0, cost: 0 }]
      : [
          { turn: voltages.turn, cost: 0 },
          { turn: 0, cost: 0.25 },
        ];
  const canGenerate = machine.kind === "main" || machine.kind === "synchronous";
  const ways = [
    { isGenerating: false, half: 0, cost: 0 },
    ...(canGenerate ? [{ isGenerating: true, half: Math.PI, cost: generatingCost }] : []),
  ];
  const found: Explanation[] = [];
  for (const fit of fits)
    for (const factor of factors) {
      const expected = expectedLag(machine, share === undefined ? undefined : share / factor, voltages.share);
      if (!expected) continue;
      for (const { turn, cost: turnCost } of turns)
        for (const { isGenerating, half, cost } of ways) {
          const lag = wrapped(fit.lag - turn - half);
          if (lag < expected.least || lag > expected.most) continue;
          const ratio: WiringFault[] = factor === 1 ? [] : [{ kind: "current-ratio", factor }];
          const faults = [...voltages.faults, ...fit.arrangement.faults, ...known, ...ratio];
          found.push({
            faults,
            isGenerating,
            cost: fit.arrangement.cost + turnCost + cost + knownCost + (factor === 1 ? 0 : wrongRatioCost),
            fit,
            turn,
            factor,
          });
        }
    }
  return found;
}

/** One current is so much greater or smaller than the two others that their sum is not zero: its CT has another ratio. */
function unequalRatios(readings: WiringReadings, machine: WiredMachine, voltages: VoltageFindings): Explanation[] {
  if (machine.kind === "main") return [];
  return phases.flatMap((phase) =>
    usualFactors.flatMap((factor) => {
      const of = (values: PhaseValues) =>
        values.map((value, input) => (input === phase - 1 ? value / factor : value)) as [number, number, number];
      const correctedReadings = { ...readings, currents: of(readings.currents), kw: of(readings.kw), kvar: of(readings.kvar) };
      const [least, most] = [Math.min(...correctedReadings.currents), Math.max(...correctedReadings.currents)];
      if (most > 1.5 * least) return [];
      const fits = fitsOf(correctedReadings, machine);
      return explanationsOf(fits, correctedReadings, machine, voltages, [{ kind: "current-ratio", factor, phase }], wrongRatioCost);
    }),
  );
}

/** As measured. */
function seen(readings: WiringReadings, isReversedRotation: boolean): WiringPhasors {
  const voltages = inRotation(readings.lineToLine, isReversedRotation);
  const currents = voltages.map(({ angle }, input) => ({
    magnitude: readings.currents[input]!,
    angle: wrapped(angleOf(currentOf(readings, input, angle))),
  })) as [Phasor, Phasor, Phasor];
  return { voltages, currents };
}

const nominal = [0, (-2 * Math.PI) / 3, (2 * Math.PI) / 3] as const;

/** An even supply of the same height, in which each phase's current lags its own voltage. */
function corrected(
  { fit, turn, factor }: Explanation,
  { lineToLine, currents }: WiringReadings,
  { faults }: VoltageFindings,
): WiringPhasors {
  const [fault] = faults;
  const volts = sum(lineToNeutral(lineToLine)) / 3 / voltageFactor(fault);
  const total = sum(currents) / sum(fit.currents.map(magnitudeOf));
  return evenSupply(volts, (phase) => ({
    magnitude: (magnitudeOf(fit.currents[phase - 1]!) * total) / factor,
    lag: fit.lag - turn,
  }));
}

function voltageFactor(fault: WiringFault | undefined): number {
  if (fault?.kind === "line-for-neutral") return Math.sqrt(3);
  if (fault?.kind === "neutral-for-line") return 1 / Math.sqrt(3);
  return fault?.kind === "voltage-ratio" ? fault.factor : 1;
}

/** What is missing is as great as the others, and lags as they do. */
function filledUp(readings: WiringReadings, lost: readonly Phase[]): WiringPhasors | undefined {
  const present = phases.filter((phase) => !lost.includes(phase));
  if (present.length === 0) return undefined;
  const volts = sum(lineToNeutral(readings.lineToLine)) / 3;
  const amps = sum(present.map((phase) => readings.currents[phase - 1]!)) / present.length;
  const mean = present.map((phase) => polar(1, Math.atan2(readings.kvar[phase - 1]!, readings.kw[phase - 1]!))).reduce(add);
  return evenSupply(volts, () => ({ magnitude: amps, lag: angleOf(mean) }));
}

function evenSupply(volts: number, currentOfPhase: (phase: Phase) => { magnitude: number; lag: number }): WiringPhasors {
  const currents = phases.map((phase) => {
    const { magnitude, lag } = currentOfPhase(phase);
    return { magnitude, angle: wrapped(nominal[phase - 1]! - lag) };
  }) as [Phasor, Phasor, Phasor];
  return { voltages: nominal.map((angle) => ({ magnitude: volts, angle })) as [Phasor, Phasor, Phasor], currents };
}
