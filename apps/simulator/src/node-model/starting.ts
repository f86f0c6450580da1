import { channels } from "./channels.ts";
import { between, uniform } from "./random.ts";
import type { LoadProfile } from "./sim-node.ts";

export type StartMethod = "direct" | "soft" | "reduced" | "drive" | "dc";

/** How one machine starts, prepared once. */
export interface Starting {
  method: StartMethod;
  /** Time to the middle of the fall of the inrush current, or length of the ramp. */
  accelerationSeconds: number;
  /** Current limit: a multiple of full load (soft, dc), a share of locked rotor (reduced). */
  limit: number;
  /** From here on the machine counts as started. */
  durationSeconds: number;
}

export function startMethodOf(starter: string): StartMethod {
  if (starter.startsWith("DC")) return "dc";
  if (starter.startsWith("Soft Start")) return "soft";
  if (starter === "Reduced Voltage Starter") return "reduced";
  return starter === "VFD" ? "drive" : "direct";
}

export function createStarting(seed: number, id: number, starter: string, profile: LoadProfile): Starting {
  const method = startMethodOf(starter);
  const pick = (low: number, high: number) => between(low, high, seed, id, channels.acceleration, 0);
  if (method === "soft") return withDuration(method, pick(5, 15), between(3, 4, seed, id, channels.reducedVoltage, 0));
  if (method === "drive") return withDuration(method, pick(5, 20), 1.1);
  if (method === "dc") return withDuration(method, pick(4, 10), 1.5);
  const [low, high] = directAcceleration(profile);
  if (method === "direct") return withDuration(method, pick(low, high), 1);
  // wye-delta draws 33-42 % of locked rotor, an autotransformer 65 %
  const isWyeDelta = uniform(seed, id, channels.reducedVoltage, 0) < 0.6;
  return withDuration(method, 1.5 * pick(low, high), isWyeDelta ? between(0.33, 0.42, seed, id, channels.reducedVoltage, 1) : 0.65);
}

function directAcceleration(profile: LoadProfile): readonly [number, number] {
  if (profile === "fan") return [2, 8];
  return profile === "crusher" || profile === "chipper" ? [4, 15] : [0.5, 1.5];
}

function withDuration(method: StartMethod, accelerationSeconds: number, limit: number): Starting {
  return { method, accelerationSeconds, limit, durationSeconds: Math.ceil(accelerationSeconds * 1.7) + 1 };
}

/** Direct on line: `I_run + (I_LR·v − I_run) / (1 + exp((t − ta)/τ))`, τ = 0.08·ta. Amperes. */
export function directStartCurrent(sinceStart: number, running: number, lockedRotor: number, acceleration: number): number {
  return running + (lockedRotor - running) * inrushShare(sinceStart, acceleration);
}

/** 1 at standstill, 0 at speed: the sigmoid that current and power factor follow. */
export function inrushShare(sinceStart: number, acceleration: number): number {
  return 1 / (1 + Math.exp((sinceStart - acceleration) / (0.08 * acceleration)));
}

/** Line current during a start. `lockedRotor` is already scaled with the voltage. Amperes. */
export function startCurrent(starting: Starting, sinceStart: number, running: number, fullLoad: number, lockedRotor: number): number {
  const ta = starting.accelerationSeconds;
  switch (starting.method) {
    case "direct":
      return directStartCurrent(sinceStart, running, lockedRotor, ta);
    case "soft":
      return directStartCurrent(sinceStart, running, Math.min(lockedRotor, starting.limit * fullLoad), ta);
    case "dc":
      return directStartCurrent(sinceStart, running, starting.limit * fullLoad, ta);
    case "drive":
      return Math.min(starting.limit * fullLoad, running * Math.min(1, (sinceStart + 0.5) / ta));
    case "reduced":
      // the transition to full voltage comes at 60 % of the run-up and shows as a step
      if (sinceStart < 0.6 * ta) return Math.max(running, starting.limit * lockedRotor);
      return directStartCurrent(sinceStart, running, 0.6 * lockedRotor, ta);
  }
}
