import { scalarField, type ScalarRow } from "./scalar-row.ts";

type Three = readonly [number, number, number];

/** How the lines of a machine reach the inputs 1, 2, 3 of its node; what is left out is right. */
export interface Wiring {
  /** The conductor that each voltage tap is on; 0: open. */
  taps?: Three;
  /** The phase whose current each input has, negative with its CT turned round; 0: open or shorted. */
  cts?: Three;
  /** Measured over true. */
  ctRatios?: Three;
  voltageRatio?: number;
  /** Line-to-line voltages on inputs for line to neutral, or the other way round. */
  tapKind?: "lineForNeutral" | "neutralForLine";
}

interface Complex {
  re: number;
  im: number;
}
const zero: Complex = { re: 0, im: 0 };
const polar = (size: number, angle: number): Complex => ({ re: size * Math.cos(angle), im: size * Math.sin(angle) });
const sumOf = (...all: readonly Complex[]): Complex => ({
  re: all.reduce((sum, { re }) => sum + re, 0),
  im: all.reduce((sum, { im }) => sum + im, 0),
});
const times = ({ re, im }: Complex, factor: number): Complex => ({ re: re * factor, im: im * factor });
const minus = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
const sizeOf = ({ re, im }: Complex): number => Math.hypot(re, im);

/**
 * Replaces what the node would measure when wired right by what it measures behind this wiring: the true phasors go through taps and CTs, and the node does
 * with them what it always does (voltages to neutral from the centroid of the three, P from the fundamentals, Q what is left of S).
 * @param distortionFactor RMS over fundamental of the current
 */
export function rewire(row: ScalarRow, wiring: Wiring, distortionFactor: number): void {
  const { taps = [1, 2, 3], cts = [1, 2, 3], ctRatios = [1, 1, 1], voltageRatio = 1, tapKind } = wiring;
  const lines = conductorsOf(row);
  const amps = lines.map((volts, k) => currentOf(row, k, volts, distortionFactor));
  const to = (tap: number): Complex => (tapKind === "lineForNeutral" ? minus(lines[tap - 1]!, lines[tap % 3]!) : lines[tap - 1]!);
  const connected = taps.filter((tap) => tap > 0).map(to);
  const star = connected.length === 0 ? zero : times(sumOf(...connected), 1 / connected.length);
  const inputs = taps.map((tap) => times(minus(tap > 0 ? to(tap) : star, star), voltageRatio));
  // Inputs that the node takes for V12, V23, V31 make V1N = (V12 − V31)/3.
  const neutral =
    tapKind === "neutralForLine" ? inputs.map((volts, k) => times(minus(volts, inputs[(k + 2) % 3]!), 1 / 3)) : fromCentroid(inputs);
  for (let k = 0; k < 3; k++) {
    const volts = neutral[k]!;
    const ct = cts[k]!;
    const fundamental = ct === 0 ? zero : times(amps[Math.abs(ct) - 1]!, Math.sign(ct) * ctRatios[k]!);
    const kw = (volts.re * fundamental.re + volts.im * fundamental.im) / 1000;
    const lagging = volts.im * fundamental.re - volts.re * fundamental.im;
    const current = sizeOf(fundamental) * distortionFactor;
    const kva = (sizeOf(volts) * current) / 1000;
    const kvar = Math.sqrt(Math.max(0, kva * kva - kw * kw));
    row[scalarField.v1 + k] = sizeOf(minus(volts, neutral[(k + 1) % 3]!));
    row[scalarField.i1 + k] = current;
    row[scalarField.p1 + k] = kw;
    row[scalarField.q1 + k] = lagging < 0 ? -kvar : kvar;
    row[scalarField.pf1 + k] = kva > 0 ? kw / kva : 0;
  }
}

function fromCentroid(volts: readonly Complex[]): Complex[] {
  const centre = times(sumOf(...volts), 1 / 3);
  return volts.map((each) => minus(each, centre));
}

/** The conductors' potentials against the centroid of V12, V23, V31; V12 along the real axis. */
function conductorsOf(row: ScalarRow): [Complex, Complex, Complex] {
  const [v12, v23, v31] = [row[scalarField.v1]!, row[scalarField.v2]!, row[scalarField.v3]!];
  if (v12 === 0) return [zero, zero, zero];
  // Conductor 2 at 0, conductor 1 at V12; conductor 3 by its distances from both, a quarter turn ahead for the rotation 1, 2, 3
  const re = (v12 * v12 + v23 * v23 - v31 * v31) / (2 * v12);
  const corners = [{ re: v12, im: 0 }, zero, { re, im: Math.sqrt(Math.max(0, v23 * v23 - re * re)) }];
  return fromCentroid(corners) as [Complex, Complex, Complex];
}

function currentOf(row: ScalarRow, k: number, volts: Complex, distortionFactor: number): Complex {
  const [kw, kvar] = [row[scalarField.p1 + k]!, row[scalarField.q1 + k]!];
  const kva = Math.hypot(kw, kvar);
  const cosine = kva === 0 ? 1 : Math.min(1, Math.max(-1, (kw * distortionFactor) / kva));
  const lag = Math.acos(cosine) * (kvar < 0 ? -1 : 1);
  return polar(row[scalarField.i1 + k]! / distortionFactor, Math.atan2(volts.im, volts.re) - lag);
}
