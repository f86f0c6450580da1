import { channels } from "./channels.ts";
import { between, noise, uniform } from "./random.ts";
import type { LoadProfile } from "./sim-node.ts";

type LoadAt = (seed: number, id: number, epochSeconds: number, localSeconds: number) => number;

const slow: LoadAt = (seed, id, t) =>
  0.75 + 0.13 * noise(seed, id, channels.loadSlow, t, 1800) + 0.02 * noise(seed, id, channels.loadFast, t, 40);

const conveyor: LoadAt = (seed, id, t) => {
  const stepSeconds = between(90, 600, seed, id, channels.loadPhase, 0);
  const level = between(0.4, 0.8, seed, id, channels.loadStep, Math.floor(t / stepSeconds));
  return level + 0.03 * noise(seed, id, channels.loadFast, t, 5);
};

const crusher: LoadAt = (seed, id, t) => {
  const burst = Math.max(0, noise(seed, id, channels.loadFast, t, between(2, 8, seed, id, channels.loadPhase, 0)));
  return Math.min(1.2, Math.max(0.3, 0.5 + 0.15 * noise(seed, id, channels.loadSlow, t, 60) + 0.7 * burst * burst));
};

// One cut a minute, 10 to 40 s long
const chipper: LoadAt = (seed, id, t) => {
  const minute = Math.floor(t / 60);
  const length = between(10, 40, seed, id, channels.loadCycle, minute);
  const begin = minute * 60 + (60 - length) * uniform(seed, id, channels.loadPhase, minute);
  if (t < begin || t >= begin + length) return 0.22;
  return between(0.8, 1.15, seed, id, channels.loadStep, minute) + 0.05 * noise(seed, id, channels.loadFast, t, 3);
};

const compressor: LoadAt = (seed, id, t) => {
  const period = between(60, 300, seed, id, channels.loadPhase, 0);
  const cycle = Math.floor(t / period);
  const loadedPart = between(0.3, 0.7, seed, id, channels.loadCycle, cycle);
  return (t / period - cycle < loadedPart ? 0.95 : 0.25) + 0.01 * noise(seed, id, channels.loadFast, t, 7);
};

const workCycle: LoadAt = (seed, id, t) => {
  const period = between(30, 120, seed, id, channels.loadPhase, 0);
  const cycle = Math.floor(t / period);
  const stroke = Math.sin(Math.PI * (t / period - cycle));
  return 0.2 + between(0.7, 1, seed, id, channels.loadCycle, cycle) * stroke * stroke;
};

const feeder: LoadAt = (seed, id, t, local) => {
  const daily = Math.sin(((local % 86_400) / 86_400) * 2 * Math.PI - 2);
  return 0.55 + 0.18 * daily + 0.06 * noise(seed, id, channels.loadSlow, t, 900) + 0.02 * noise(seed, id, channels.loadFast, t, 20);
};

const steady: LoadAt = (seed, id, t) => 0.85 + 0.02 * noise(seed, id, channels.loadSlow, t, 900);

/** Load per unit of rated shaft power, while running, for each profile. */
export const loadProfiles: Record<LoadProfile, LoadAt> = {
  pump: slow,
  fan: slow,
  conveyor,
  crusher,
  chipper,
  compressor,
  workCycle,
  feeder,
  steady,
};
