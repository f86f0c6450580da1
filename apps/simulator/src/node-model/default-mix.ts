import { channels } from "./channels.ts";
import type { Fault, FaultKind, FaultParams, SagType } from "./fault.ts";
import { beta25, between, lognormal, poisson, uniform } from "./random.ts";
import type { SimNode } from "./sim-node.ts";

const secondsPerDay = 86_400;
const daysPerYear = 365;
const secondsPerCycle = 1 / 60;

/** Rates are per year; `scale` multiplies them all, 0 is a world without faults. */
export interface MixOptions {
  seed: number;
  scale: number;
}

export interface MixFacility {
  id: number;
  key: string;
  /** Those with phases and a load: fields are none. */
  serials: readonly number[];
}

type Target = { facilityKey: string } | { serial: number };

function createFault(kind: FaultKind, target: Target, start: number, durationSeconds: number, params: FaultParams): Fault {
  return {
    kind,
    start: round(start),
    durationSeconds: round(durationSeconds),
    facilityKey: "facilityKey" in target ? target.facilityKey : undefined,
    serial: "serial" in target ? target.serial : undefined,
    params,
    source: "mix",
  };
}

/** Supply disturbances and outages that begin in a facility on a UTC day. */
export function facilityFaultsOfDay({ seed, scale }: MixOptions, facility: MixFacility, day: number): Fault[] {
  const { id, key } = facility;
  const faults: Fault[] = [];
  const add = (kind: FaultKind, fraction: number, durationSeconds: number, params: FaultParams, target: Target = { facilityKey: key }) =>
    faults.push(createFault(kind, target, (day + fraction) * secondsPerDay, durationSeconds, params));
  const each = (channel: number, perYear: number, make: (index: number) => void) => {
    const count = poisson((perYear * scale) / daysPerYear, seed, id, channel, day);
    for (let n = 0; n < count; n++) make(day * 64 + n);
  };
  each(channels.sag, 30, (index) =>
    add(
      "sag",
      uniform(seed, id, channels.sagTime, index),
      Math.min(60, Math.max(0.5 * secondsPerCycle, lognormal(6 * secondsPerCycle, 1.5, seed, id, channels.sagLength, index))),
      {
        voltage: round(Math.min(0.9, Math.max(0.1, 1 - beta25(seed, id, channels.sagDepth, index)))),
        sagType: sagTypeOf(uniform(seed, id, channels.sagKind, index)),
        phase: 1 + Math.floor(3 * uniform(seed, id, channels.sagPhase, index)),
      },
    ),
  );
  each(channels.swell, 4, (index) =>
    add(
      "swell",
      uniform(seed, id, channels.swellTime, index),
      Math.min(60, lognormal(20 * secondsPerCycle, 1.2, seed, id, channels.swellLength, index)),
      { voltage: round(between(1.1, 1.4, seed, id, channels.swellDepth, index)), sagType: "A", phase: 1 },
    ),
  );
  each(channels.interruption, 3, (index) =>
    add(
      "interruption",
      uniform(seed, id, channels.interruptionTime, index),
      Math.min(7200, Math.max(0.1, lognormal(20, 2, seed, id, channels.interruptionLength, index))),
      { voltage: 0.02, sagType: "A", phase: 1 },
    ),
  );
  each(channels.siteOutage, 4, (index) =>
    add(
      "siteOutage",
      uniform(seed, id, channels.siteOutageTime, index),
      Math.min(secondsPerDay, lognormal(600, 1.2, seed, id, channels.siteOutageLength, index)),
      {},
    ),
  );
  // One open phase every two years and facility, at one of its nodes
  each(channels.singlePhasing, 0.5, (index) => {
    const serial = facility.serials[Math.floor(facility.serials.length * uniform(seed, id, channels.singlePhasingNode, index))];
    if (serial === undefined) return;
    const tripSeconds = round(between(5, 60, seed, id, channels.singlePhasingTrip, index));
    const phase = 1 + Math.floor(3 * uniform(seed, id, channels.lostPhase, index));
    const repairSeconds = round(between(1800, 7200, seed, id, channels.repairTime, index));
    add(
      "singlePhasing",
      uniform(seed, id, channels.singlePhasingTime, index),
      tripSeconds,
      { phase, tripSeconds, repairSeconds },
      { serial },
    );
  });
  // And one that opens for a moment and comes back
  each(channels.phaseBlink, 0.5, (index) => {
    const serial = facility.serials[Math.floor(facility.serials.length * uniform(seed, id, channels.phaseBlinkNode, index))];
    if (serial === undefined) return;
    const phase = 1 + Math.floor(3 * uniform(seed, id, channels.lostPhase, index + 32));
    const length = between(1.1, 1.9, seed, id, channels.phaseBlinkNode, index + 32);
    add("phaseBlink", uniform(seed, id, channels.phaseBlinkTime, index), length, { phase }, { serial });
  });
  return faults;
}

function sagTypeOf(draw: number): SagType {
  if (draw < 0.2) return "A";
  return draw < 0.7 ? "D" : "C";
}

/** Load faults and link outages that begin at one node on a UTC day. */
export function nodeFaultsOfDay({ seed, scale }: MixOptions, { serial, role }: Pick<SimNode, "serial" | "role">, day: number): Fault[] {
  const faults: Fault[] = [];
  const add = (kind: FaultKind, fraction: number, durationSeconds: number, params: FaultParams) =>
    faults.push(createFault(kind, { serial }, (day + fraction) * secondsPerDay, durationSeconds, params));
  const each = (channel: number, perYear: number, make: (index: number) => void) => {
    const count = poisson((perYear * scale) / daysPerYear, seed, serial, channel, day);
    for (let n = 0; n < count; n++) make(day * 64 + n);
  };
  each(channels.loadFault, role === "field" ? 0 : 2, (index) => {
    const fraction = uniform(seed, serial, channels.loadFaultTime, index);
    const kind = uniform(seed, serial, channels.loadFaultKind, index);
    const level = (low: number, high: number) => round(between(low, high, seed, serial, channels.loadFaultLevel, index));
    const length = (low: number, high: number) => between(low, high, seed, serial, channels.loadFaultLength, index);
    if (kind < 0.5) return add("overload", fraction, length(180, 1200), { load: level(1.25, 1.5) });
    if (kind < 0.75) return add("underload", fraction, length(600, 7200), { load: 0.15 });
    const tripSeconds = round(length(2, 10));
    return add("jam", fraction, tripSeconds, { tripSeconds, repairSeconds: level(600, 2400) });
  });
  each(channels.startFault, role === "field" ? 0 : 0.6, (index) => {
    const fraction = uniform(seed, serial, channels.startFaultTime, index);
    const length = uniform(seed, serial, channels.startFaultLength, index);
    if (uniform(seed, serial, channels.startFaultKind, index) < 0.5) add("longStart", fraction, 60 + 15 + 25 * length, {});
    else add("frequentStarts", fraction, 240 * (8 + Math.floor(5 * length)), {});
  });
  each(channels.fieldFault, role === "field" ? 0.5 : 0, (index) =>
    add(
      "fieldLoss",
      uniform(seed, serial, channels.fieldFaultTime, index),
      between(60, 600, seed, serial, channels.fieldFaultLength, index),
      {},
    ),
  );
  each(channels.linkOutage, daysPerYear / 30, (index) =>
    // median 4 min; the spread puts 3 % above 4 h
    add(
      "linkOutage",
      uniform(seed, serial, channels.linkOutageTime, index),
      Math.min(secondsPerDay, lognormal(240, 2.18, seed, serial, channels.linkOutageLength, index)),
      {},
    ),
  );
  each(channels.reboot, 6, (index) => add("reboot", uniform(seed, serial, channels.rebootTime, index), 40, {}));
  return faults;
}

const badJointBlockDays = 60;

/** The growing bad joint of one node in a hundred: those of its joints that a UTC day may see. */
export function badJointsAround(mix: MixOptions, serial: number, day: number): Fault[] {
  if (mix.scale === 0 || uniform(mix.seed, serial, channels.badJoint, 0) >= 0.01) return [];
  const block = Math.floor(day / badJointBlockDays);
  return [badJointOf(mix.seed, serial, block - 1), badJointOf(mix.seed, serial, block)];
}

function badJointOf(seed: number, serial: number, block: number): Fault {
  const startDay = badJointBlockDays * (block + 0.5 * uniform(seed, serial, channels.badJointTime, block));
  const phase = 1 + Math.floor(3 * uniform(seed, serial, channels.lostPhase, block));
  const voltageLossPercent = round(between(1, 8, seed, serial, channels.badJointLevel, block));
  return createFault("imbalance", { serial }, Math.floor(startDay * secondsPerDay), 10 * secondsPerDay, { phase, voltageLossPercent });
}

const round = (value: number) => Math.round(value * 1000) / 1000;
