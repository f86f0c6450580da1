/** A phasor by its parts; the real axis is that of V1N. */
export interface Complex {
  re: number;
  im: number;
}

/** @param angle radians */
export const polar = (magnitude: number, angle: number): Complex => ({ re: magnitude * Math.cos(angle), im: magnitude * Math.sin(angle) });
export const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });
export const turned = ({ re, im }: Complex, angle: number): Complex => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { re: re * cos - im * sin, im: re * sin + im * cos };
};
export const scaled = ({ re, im }: Complex, factor: number): Complex => ({ re: re * factor, im: im * factor });
export const magnitudeOf = ({ re, im }: Complex): number => Math.hypot(re, im);
export const angleOf = ({ re, im }: Complex): number => Math.atan2(im, re);

/** The same angle between -π and π. */
export const wrapped = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

export interface SymmetricalComponents {
  zero: Complex;
  positive: Complex;
  negative: Complex;
}

const third = (2 * Math.PI) / 3;

/** Symmetrical components of three phasors (Fortescue 1918): zero (a+b+c)/3, positive (a+αb+α²c)/3, negative (a+α²b+αc)/3, α = 1∠120°. */
export function symmetricalComponents([a, b, c]: readonly [Complex, Complex, Complex]): SymmetricalComponents {
  const mean = (x: Complex, y: Complex) => scaled(add(a, add(x, y)), 1 / 3);
  return {
    zero: mean(b, c),
    positive: mean(turned(b, third), turned(c, -third)),
    negative: mean(turned(b, -third), turned(c, third)),
  };
}
