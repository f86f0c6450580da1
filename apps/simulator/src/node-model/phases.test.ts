import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPhaseAngles, openPhase, splitPhases } from "./phases.ts";
import { createScalarRow, scalarField as f } from "./scalar-row.ts";

interface Complex {
  re: number;
  im: number;
}
const polar = (magnitude: number, degrees: number): Complex => ({
  re: magnitude * Math.cos((degrees * Math.PI) / 180),
  im: magnitude * Math.sin((degrees * Math.PI) / 180),
});
const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });
const subtract = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
const abs = ({ re, im }: Complex) => Math.hypot(re, im);

/** u2 from the three magnitudes (IEC 61000-4-30). */
function unbalanceOf(v12: number, v23: number, v31: number): number {
  const squares = v12 ** 2 + v23 ** 2 + v31 ** 2;
  const beta = (v12 ** 4 + v23 ** 4 + v31 ** 4) / squares ** 2;
  const root = Math.sqrt(Math.max(0, 3 - 6 * beta));
  return Math.sqrt(Math.max(0, 1 - root) / (1 + root));
}

const row = createScalarRow();

describe("split into phases", () => {
  test("agrees with sequence phasors of the three lines", () => {
    fc.assert(
      fc.property(
        fc.record({
          u: fc.double({ min: 0, max: 0.05, noNaN: true }),
          r: fc.double({ min: 0, max: 0.4, noNaN: true }),
          angle: fc.integer({ min: 0, max: 359 }),
          phi: fc.integer({ min: -20, max: 85 }),
        }),
        ({ u, r, angle, phi }) => {
          const radians = (phi * Math.PI) / 180;
          const state = {
            volts: 480,
            unbalance: u,
            current: 100,
            currentUnbalance: r,
            cosPhi: Math.cos(radians),
            sinPhi: Math.sin(radians),
            distortionFactor: 1,
          };
          splitPhases(state, createPhaseAngles((angle * Math.PI) / 180, [1, 1, 1]), row);

          // Line to neutral the positive sequence lags its line voltage by 30 degrees, the negative one leads by 30;
          // the negative current lags its voltage by 75 degrees. Phase k turns by -120k and +120k degrees.
          const v1 = 480 / Math.sqrt(3);
          const volts = [0, 1, 2].map((k) => add(polar(v1, -30 - 120 * k), polar(v1 * u, angle + 30 + 120 * k)));
          const amps = [0, 1, 2].map((k) => add(polar(100, -30 - phi - 120 * k), polar(100 * r, angle + 30 - 75 + 120 * k)));
          for (let k = 0; k < 3; k++) {
            const [v, i] = [volts[k]!, amps[k]!];
            expect(row[f.v1 + k]).toBeCloseTo(abs(subtract(v, volts[(k + 1) % 3]!)), 6);
            expect(row[f.i1 + k]).toBeCloseTo(abs(i), 6);
            expect(row[f.p1 + k]).toBeCloseTo((v.re * i.re + v.im * i.im) / 1000, 6);
          }
          expect(unbalanceOf(row[f.v1]!, row[f.v2]!, row[f.v3]!)).toBeCloseTo(u, 5);
        },
      ),
    );
  });

  test("balanced 480 V, 100 A, power factor 0.85: 70.668 kW and 43.796 kVAr", () => {
    const state = {
      volts: 480,
      unbalance: 0,
      current: 100,
      currentUnbalance: 0,
      cosPhi: 0.85,
      sinPhi: Math.sqrt(1 - 0.85 ** 2),
      distortionFactor: 1,
    };
    splitPhases(state, createPhaseAngles(1, [1, 1, 1]), row);
    expect(row[f.p1]).toBeCloseTo(23.5559, 4);
    expect(row[f.q1]! * 3).toBeCloseTo(43.7959, 4);
    expect(row[f.pf3]).toBeCloseTo(0.85, 9);
  });

  test("an open phase has no current and no power, the others keep S² = P² + Q²", () => {
    const state = {
      volts: 480,
      unbalance: 0,
      current: 100,
      currentUnbalance: 0,
      cosPhi: 0.85,
      sinPhi: Math.sqrt(1 - 0.85 ** 2),
      distortionFactor: 1,
    };
    splitPhases(state, createPhaseAngles(1, [1, 1, 1]), row);
    openPhase(row, 2, 0.8, 0.9);
    expect([row[f.i2], row[f.p2], row[f.q2], row[f.pf2]]).toEqual([0, 0, 0, 0]);
    expect(row[f.i1]).toBeCloseTo(173, 6);
    // phase 2 touches V12 and V23
    expect([row[f.v1], row[f.v2], row[f.v3]].map((volts) => Math.round(volts!))).toEqual([432, 432, 480]);
    expect(row[f.p1]! / Math.hypot(row[f.p1]!, row[f.q1]!)).toBeCloseTo(row[f.pf1]!, 9);
  });
});
