import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { channels } from "./channels.ts";
import { fillDirectCurrent } from "./direct-current.ts";
import type { ElectricalEffect } from "./electrical-effect.ts";
import { addEffects, clearDisturbance, createDisturbance } from "./electrical-state.ts";
import { createDuty, secondsSinceStart, type Duty } from "./duty.ts";
import { loadProfiles } from "./load-profile.ts";
import { createMachine, loadPoint, type LoadPoint, type Machine } from "./machine.ts";
import { createPhaseAngles, openPhase, splitPhases, type ThreePhase } from "./phases.ts";
import { between, uniform } from "./random.ts";
import { scalarField, type ScalarRow } from "./scalar-row.ts";
import type { SimNode } from "./sim-node.ts";
import { createStarting, inrushShare, startCurrent, type Starting } from "./starting.ts";
import { supplyAt, type Supply } from "./supply.ts";
import type { WindowIndex } from "./window-index.ts";
import { rewire } from "./wiring.ts";

export interface NodeModel {
  readonly node: SimNode;
  readonly duty: Duty;
  readonly machine: Machine;
  readonly starting: Starting;
  /** The quantities of the second that begins at `epochSeconds` (whole), whatever was asked before; fills `row`. */
  scalarAt(epochSeconds: number, row: ScalarRow): void;
  /** Whether the machine draws load current at that second. */
  isRunningAt(epochSeconds: number): boolean;
}

export interface NodeModelParts {
  seed: number;
  node: SimNode;
  supply: Supply;
  supplyEffects: WindowIndex<ElectricalEffect>;
  nodeEffects: WindowIndex<ElectricalEffect>;
}

/** Electrical behaviour of one node: a pure function of seed, nameplate, faults and time. */
export function createNodeModel({ seed, node, supply, supplyEffects, nodeEffects }: NodeModelParts): NodeModel {
  const id = node.serial;
  const duty = createDuty(seed, node.machineSerial ?? id, node.shift, supply.zoneOffset);
  const machine = createMachine(seed, node);
  const starting = createStarting(seed, id, node.starter, node.loadProfile);
  const hasStart = machine.kind !== "feeder" && machine.kind !== "rectifier" && node.role !== "field";
  const gain = (channel: number) => 1 + between(-0.003, 0.003, seed, id, channel, 0);
  const gains = [gain(channels.currentGain1), gain(channels.currentGain2), gain(channels.currentGain3)];
  const angles = createPhaseAngles(supply.unbalanceAngle, gains);
  const terminalVoltage = between(0.85, 0.95, seed, id, channels.lostPhaseVoltage, 0);
  const disturbance = createDisturbance();
  const point: LoadPoint = { powerKw: 0, reactiveKvar: 0, current: 0, slip: 0, distortion: 0 };
  const state: ThreePhase = { volts: 0, unbalance: 0, current: 0, currentUnbalance: 0, cosPhi: 1, sinPhi: 0, distortionFactor: 1 };
  const loadAt = loadProfiles[node.loadProfile];

  /** Seconds since the last start, scheduled or after a fault; negative while stopped. Reads the disturbance. */
  const runningSeconds = (epochSeconds: number): number => {
    if (disturbance.isStopped) return -1;
    const scheduled = secondsSinceStart(duty, epochSeconds);
    if (scheduled < 0 || disturbance.secondsSinceRestart < 0) return scheduled;
    return Math.min(scheduled, disturbance.secondsSinceRestart);
  };

  const collect = (epochSeconds: number) => {
    clearDisturbance(disturbance);
    addEffects(disturbance, supplyEffects.at(epochSeconds), epochSeconds);
    addEffects(disturbance, nodeEffects.at(epochSeconds), epochSeconds);
  };

  /** Positive-sequence current and power factor under load, in a start or against a jam. */
  const loadCurrent = (load: number, volts: number, since: number) => {
    const v = volts / node.npVoltage;
    loadPoint(machine, load, volts, point);
    const kva = Math.sqrt(point.powerKw * point.powerKw + point.reactiveKvar * point.reactiveKvar);
    const cosPhi = kva > 0 ? point.powerKw / kva : 0;
    let current = point.current;
    let inrush = 0;
    if (disturbance.isJammed) {
      current = machine.lockedRotorAmps * v;
      inrush = 1;
    } else if (hasStart && since < starting.durationSeconds) {
      current = startCurrent(starting, since, point.current, node.npCurrent, machine.lockedRotorAmps * v);
      if (machine.kind !== "drive") inrush = inrushShare(since, starting.accelerationSeconds);
    }
    state.current = current;
    state.cosPhi = cosPhi + (0.25 - cosPhi) * inrush;
    const sinPhi = Math.sqrt(1 - state.cosPhi * state.cosPhi);
    state.sinPhi = point.reactiveKvar < 0 && inrush < 0.5 ? -sinPhi : sinPhi;
    state.distortionFactor = Math.sqrt(1 + point.distortion * point.distortion);
    // negative-sequence impedance is that of the locked rotor
    const negative = machine.kind === "induction" ? (state.unbalance * machine.lockedRotorAmps) / current : 2 * state.unbalance;
    state.currentUnbalance = Math.min(0.9, negative);
  };

  return {
    node,
    duty,
    machine,
    starting,
    isRunningAt(epochSeconds) {
      collect(epochSeconds);
      return runningSeconds(epochSeconds) >= 0;
    },
    scalarAt(epochSeconds, row) {
      collect(epochSeconds);
      const supplied = supplyAt(supply, epochSeconds);
      const { square1, square2, square3 } = disturbance;
      const isDisturbed = square1 !== 1 || square2 !== 1 || square3 !== 1;
      const share = isDisturbed ? Math.sqrt((square1 + square2 + square3) / 3) : 1;
      const volts = node.npVoltage * supplied.volts;
      const hasVoltage = share > 0.3;
      const since = runningSeconds(epochSeconds);
      const isRunning = since >= 0 && hasVoltage;
      const load = disturbance.load >= 0 ? disturbance.load : loadAt(seed, id, epochSeconds, epochSeconds + duty.zoneOffset(epochSeconds));
      const idleAmps = isRunning ? 0 : 0.002 * node.npCurrent * uniform(seed, id, channels.idleCurrent, epochSeconds);

      if (machine.kind === "direct") {
        fillDirectCurrent({ node, starting, volts: volts * share, load, since: isRunning ? since : -1, idleAmps }, row);
      } else {
        state.volts = volts;
        state.unbalance = supplied.unbalance + disturbance.addedUnbalance;
        if (isRunning) loadCurrent(load, volts * share, since);
        else {
          state.current = idleAmps;
          state.currentUnbalance = 0;
          state.cosPhi = 1;
          state.sinPhi = 0;
          state.distortionFactor = 1;
        }
        splitPhases(state, angles, row);
        if (isDisturbed) scaleVoltages(row, Math.sqrt(square1), Math.sqrt(square2), Math.sqrt(square3));
        if (isRunning && disturbance.lostPhase > 0) openPhase(row, disturbance.lostPhase, load, terminalVoltage);
        if (!isRunning) clearPower(row);
        const wiring = disturbance.wiring ?? node.quirks.wiring;
        if (wiring) rewire(row, wiring, state.distortionFactor);
        row[scalarField.lf] = hasVoltage ? node.npFrequency + supplied.frequencyDeviation : 0;
        row[scalarField.fieldVoltage] = 0;
        row[scalarField.fieldCurrent] = 0;
      }
      const isStarting = isRunning && hasStart && since < starting.durationSeconds;
      row[scalarField.running] = isRunning ? 1 : 0;
      row[scalarField.flag] =
        (isRunning ? scalarFlagBits.isRunning : 0) |
        (isStarting ? scalarFlagBits.isStarting : 0) |
        (volts * share < 5 ? scalarFlagBits.isVoltageMissing : 0) |
        (disturbance.isPowerQualityEvent ? scalarFlagBits.isPqEventActive : 0);
    },
  };
}

/** Applies the disturbed line voltages; each phase keeps its current and power factor, so P and Q follow its voltage. */
function scaleVoltages(row: ScalarRow, m1: number, m2: number, m3: number): void {
  const v12 = (row[scalarField.v1]! *= m1);
  const v23 = (row[scalarField.v2]! *= m2);
  const v31 = (row[scalarField.v3]! *= m3);
  rescalePower(row, 0, neutralVolts(v12, v31, v23));
  rescalePower(row, 1, neutralVolts(v12, v23, v31));
  rescalePower(row, 2, neutralVolts(v23, v31, v12));
}

/** Line-to-neutral volts of a phase from the two line voltages it touches and the one opposite (neutral at the centroid). */
function neutralVolts(adjacent1: number, adjacent2: number, opposite: number): number {
  return Math.sqrt(Math.max(0, 2 * adjacent1 * adjacent1 + 2 * adjacent2 * adjacent2 - opposite * opposite)) / 3;
}

function rescalePower(row: ScalarRow, k: number, volts: number): void {
  const kva = (volts * row[scalarField.i1 + k]!) / 1000;
  const powerFactor = row[scalarField.pf1 + k]!;
  row[scalarField.p1 + k] = kva * powerFactor;
  row[scalarField.q1 + k] = Math.sign(row[scalarField.q1 + k]!) * kva * Math.sqrt(Math.max(0, 1 - powerFactor * powerFactor));
}

function clearPower(row: ScalarRow): void {
  for (let k = scalarField.p1; k <= scalarField.pf3; k++) row[k] = 0;
}
