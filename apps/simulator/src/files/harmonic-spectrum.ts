import { channels } from "#node-model/channels.ts";
import type { Machine } from "#node-model/machine.ts";
import { between } from "#node-model/random.ts";
import type { SimNode } from "#node-model/sim-node.ts";

/** Harmonics of one channel by order from 1: index 0 is the fundamental. Percent of the fundamental; angles in degrees. */
export interface Spectrum {
  percent: number[];
  angle: number[];
}

// Six-pulse orders in percent of the fundamental, at a total of 42.3 % (packages/metering, worked example 3)
const sixPulse: ReadonlyMap<number, number> = new Map([
  [5, 38],
  [7, 15],
  [11, 7.5],
  [13, 5.5],
  [17, 4],
  [19, 3],
  [23, 2.5],
  [25, 2],
]);
const sixPulseTotal = 42.3173;

/** The currents' spectrum of a phase: six-pulse for drives and rectifiers, a little saturation for everything else. */
export function currentSpectrum(
  seed: number,
  { serial }: SimNode,
  machine: Machine,
  phase: number,
  interval: number,
  orders: number,
): Spectrum {
  const scale = (100 * machine.distortion) / sixPulseTotal;
  return build(orders, (order) => {
    const wander = between(0.92, 1.08, seed, serial, channels.harmonics + phase, interval * 64 + order);
    const small = order % 2 === 1 ? 0.9 / order : 0.12 / order;
    return wander * ((sixPulse.get(order) ?? 0) * scale + small);
  });
}

/** The voltages' spectrum: the background of the supply, 5th .8-2.5 % and 7th .4-1.5 %, and what its own currents add. */
export function voltageSpectrum(
  seed: number,
  { serial, quirks }: SimNode,
  machine: Machine,
  phase: number,
  interval: number,
  orders: number,
): Spectrum {
  const resonance5 = quirks.hasResonance === true && isResonating(interval) ? resonancePercent : 0;
  const background5 = between(0.8, 2.5, seed, serial, channels.harmonics, 5);
  const background7 = between(0.4, 1.5, seed, serial, channels.harmonics, 7);
  return build(orders, (order) => {
    const wander = between(0.9, 1.1, seed, serial, channels.harmonics + 8 + phase, interval * 64 + order);
    const background = order === 5 ? background5 + resonance5 : order === 7 ? background7 : 0.15 / order;
    return wander * (background + (sixPulse.get(order) ?? 0) * machine.distortion * 0.02);
  });
}

const resonancePercent = 14;
const intervalsPerHour = 4;

/** Whether the capacitor bank of a supply with a resonance is switched in. */
export const isResonating = (interval: number): boolean => Math.floor(interval / intervalsPerHour) % 2 === 1;

export function totalDistortion({ percent }: Spectrum): number {
  return Math.sqrt(percent.slice(1).reduce((sum, value) => sum + value * value, 0));
}

function build(orders: number, percentOf: (order: number) => number): Spectrum {
  const percent = [100];
  const angle = [0];
  for (let order = 2; order <= orders; order++) {
    percent.push(percentOf(order));
    angle.push(((order * 47 + 180) % 360) - 180);
  }
  return { percent, angle };
}
