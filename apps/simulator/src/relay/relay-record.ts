import { between, uniform } from "#node-model/random.ts";

/** What a relay saw: three currents and voltages to neutral around its trigger, and its digital states. */
export interface RelayRecord {
  relay: string;
  location: string;
  /** Of the trigger, by the relay's clock; epoch milliseconds, written as UTC. */
  triggeredAtMs: number;
  frequency: number;
  samplesPerCycle: number;
  triggerIndex: number;
  /** Number of the event in the relay's memory. */
  number: number;
  fault: RelayFault;
  analogs: { name: string; phase: string; unit: string; values: number[] }[];
  digitals: { name: string; states: (0 | 1)[] }[];
}

export interface RelayFault {
  /** As SEL relays write it. */
  event: string;
  targets: string;
  phases: readonly number[];
  kind: "trip" | "alarm" | "recording";
  /** Multiple of the load current. */
  amperage: number;
  /** What remains of the faulted phases' voltage. */
  sag: number;
}

export interface RelaySite {
  seed: number;
  serial: number;
  relay: string;
  location: string;
  /** Line-to-line volts and load amperes. */
  volts: number;
  amps: number;
  frequency: number;
}

const cycles = 15;
const samplesPerCycle = 16;
const faultCycle = 4;
const tripDelayCycles = 2.5;
const openDelayCycles = 3;
/** Of the DC offset, in cycles. */
const offsetDecay = 3;
const channel = { kind: 1, size: 2, angle: 3, noise: 4 };

const faults: readonly RelayFault[] = [
  { event: "AG T", targets: "TRIP 50G 51", phases: [0], kind: "trip", amperage: 9, sag: 0.45 },
  { event: "BC T", targets: "TRIP 50P 51", phases: [1, 2], kind: "trip", amperage: 7, sag: 0.6 },
  { event: "ABC T", targets: "TRIP 50P", phases: [0, 1, 2], kind: "trip", amperage: 11, sag: 0.3 },
  { event: "ER", targets: "", phases: [0, 1, 2], kind: "recording", amperage: 4.5, sag: 0.93 },
  { event: "ER", targets: "51", phases: [1], kind: "recording", amperage: 2.2, sag: 0.9 },
  { event: "DIAGNOSTIC ALARM", targets: "ALARM", phases: [], kind: "alarm", amperage: 1, sag: 1 },
];

/** The n-th event of a relay: the same for the same seed, serial number and n. */
export function makeRelayRecord(
  { seed, serial, relay, location, volts, amps, frequency }: RelaySite,
  number: number,
  at: number,
): RelayRecord {
  const fault = faults[Math.floor(uniform(seed, serial, channel.kind, number) * faults.length)] ?? faults[0]!;
  const size = between(0.8, 1.2, seed, serial, channel.size, number);
  const start = between(0, 2 * Math.PI, seed, serial, channel.angle, number);
  const tripsAt = fault.kind === "trip" ? faultCycle + tripDelayCycles : Infinity;
  const opensAt = tripsAt + openDelayCycles;
  const count = cycles * samplesPerCycle;
  const cycleOf = (index: number) => index / samplesPerCycle;
  const noise = (place: number, index: number) => between(-0.004, 0.004, seed, serial, channel.noise + place, number * 10_000 + index);
  const each = (value: (cycle: number, index: number) => number) =>
    Array.from({ length: count }, (_, index) => value(cycleOf(index), index));

  const current = (phase: number) =>
    each((cycle, index) => {
      // Each pole clears at its own zero of the current.
      if (cycle >= opensAt + phase / 6) return noise(phase, index) * amps;
      const angle = start + 2 * Math.PI * cycle - (phase * 2 * Math.PI) / 3;
      const isFaulted = cycle >= faultCycle && fault.phases.includes(phase);
      const since = cycle - faultCycle;
      const peak = Math.SQRT2 * amps * (isFaulted ? fault.amperage * size : 1);
      const offset = isFaulted ? -Math.sin(start - 1.2 - (phase * 2 * Math.PI) / 3) * peak * Math.exp(-since / offsetDecay) * 0.8 : 0;
      return peak * (Math.sin(angle - (isFaulted ? 1.2 : 0.5)) + noise(phase, index)) + offset;
    });
  const voltage = (phase: number) =>
    each((cycle, index) => {
      const isSagged = cycle >= faultCycle && cycle < opensAt && fault.phases.includes(phase);
      const peak = (Math.SQRT2 * volts * (isSagged ? fault.sag : 1)) / Math.sqrt(3) / 1000;
      return peak * (Math.sin(start + 2 * Math.PI * cycle - (phase * 2 * Math.PI) / 3) + noise(phase + 3, index));
    });
  const [ia, ib, ic] = [current(0), current(1), current(2)];
  const state = (isOn: (cycle: number) => boolean) => each((cycle) => Number(isOn(cycle))) as (0 | 1)[];
  const picksUp = fault.kind !== "alarm" && fault.amperage > 2;
  return {
    relay,
    location,
    triggeredAtMs: at * 1000 + Math.floor(uniform(seed, serial, channel.size, number) * 1000),
    frequency,
    samplesPerCycle,
    triggerIndex: faultCycle * samplesPerCycle,
    number,
    fault,
    analogs: [
      { name: "IA", phase: "A", unit: "A", values: ia },
      { name: "IB", phase: "B", unit: "A", values: ib },
      { name: "IC", phase: "C", unit: "A", values: ic },
      { name: "IN", phase: "N", unit: "A", values: ia.map((value, index) => value + ib[index]! + ic[index]!) },
      { name: "VA", phase: "A", unit: "kV", values: voltage(0) },
      { name: "VB", phase: "B", unit: "kV", values: voltage(1) },
      { name: "VC", phase: "C", unit: "kV", values: voltage(2) },
    ],
    digitals: [
      { name: "TRIP", states: state((cycle) => cycle >= tripsAt && cycle < opensAt + 1) },
      { name: "52A", states: state((cycle) => cycle < opensAt) },
      { name: "51P", states: state((cycle) => picksUp && cycle >= faultCycle + 0.5 && cycle < opensAt) },
      { name: "50P1", states: state((cycle) => fault.amperage > 6 && cycle >= faultCycle + 0.75 && cycle < opensAt) },
      { name: "27P1", states: state((cycle) => fault.sag < 0.8 && cycle >= faultCycle + 1 && cycle < opensAt + 0.5) },
      { name: "ALARM", states: state((cycle) => fault.kind === "alarm" && cycle >= faultCycle) },
      { name: "IN101", states: state(() => true) },
      { name: "IN102", states: state(() => false) },
    ],
  };
}

export function peakOf(values: readonly number[]): number {
  let peak = 0;
  for (const value of values) peak = Math.max(peak, Math.abs(value));
  return peak;
}
