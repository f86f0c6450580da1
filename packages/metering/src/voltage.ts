import type { PhaseValues } from "./phases.ts";

/** A voltage or current as it turns: RMS magnitude, and the angle in radians against V1N, positive when leading. */
export interface Phasor {
  magnitude: number;
  angle: number;
}

/**
 * Line-to-neutral volts from the magnitudes of the line-to-line voltages V12, V23, V31: the neutral is the triangle's centroid,
 * which is exact while the zero-sequence voltage is zero. Each is two thirds of a median of the triangle.
 * @returns V1N, V2N, V3N in the unit of the input; 0 where measuring errors leave no triangle
 */
export function lineToNeutral([v12, v23, v31]: PhaseValues): [number, number, number] {
  const [a, b, c] = [v12 * v12, v23 * v23, v31 * v31];
  return [third(2 * a + 2 * c - b), third(2 * a + 2 * b - c), third(2 * b + 2 * c - a)];
}

const third = (square: number): number => Math.sqrt(Math.max(0, square)) / 3;

/**
 * The line-to-neutral phasors of the same triangle in the rotation 1, 2, 3: V1N at 0, V2N near -120°, V3N near +120°.
 * Magnitudes alone cannot show the rotation; a node that is wired the other way round shows it in its powers.
 */
export function lineToNeutralPhasors(lineToLine: PhaseValues): [Phasor, Phasor, Phasor] {
  const [v12, v23, v31] = lineToLine;
  const [v1, v2, v3] = lineToNeutral(lineToLine);
  return [
    { magnitude: v1, angle: 0 },
    { magnitude: v2, angle: -angleBetween(v1, v2, v12) },
    { magnitude: v3, angle: angleBetween(v1, v3, v31) },
  ].map(({ magnitude, angle }, phase) => ({
    magnitude,
    angle: Number.isFinite(angle) && v23 > 0 ? angle : [0, -nominal, nominal][phase]!,
  })) as [Phasor, Phasor, Phasor];
}

const nominal = (2 * Math.PI) / 3;

/** Angle between two sides whose ends are `opposite` apart: the law of cosines. */
const angleBetween = (one: number, other: number, opposite: number): number =>
  Math.acos(Math.min(1, Math.max(-1, (one * one + other * other - opposite * opposite) / (2 * one * other))));

/** How far a value is above (below: negative) its nominal value, in percent. */
export const deviationPercent = (value: number, nominalValue: number): number => 100 * (value / nominalValue - 1);
