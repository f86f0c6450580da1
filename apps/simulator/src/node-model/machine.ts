import { channels } from "./channels.ts";
import { createInductionMachine, operate, type InductionMachine, type Operation } from "./induction-machine.ts";
import { motorRating } from "./motor-table.ts";
import { uniform } from "./random.ts";
import type { SimNode } from "./sim-node.ts";

export type MachineKind = "induction" | "synchronous" | "drive" | "feeder" | "rectifier" | "direct";

/** What hangs on the node's lines, prepared once. */
export interface Machine {
  kind: MachineKind;
  induction: InductionMachine;
  ratedKva: number;
  lockedRotorAmps: number;
  npVoltage: number;
  npCurrent: number;
  /** Total current distortion at full load, per unit. */
  distortion: number;
}

export interface LoadPoint extends Operation {
  /** Total harmonic distortion of the current, per unit. */
  distortion: number;
}

export function createMachine(seed: number, node: SimNode): Machine {
  const kind = machineKindOf(node);
  const rating = motorRating(node.hp > 0 ? node.hp : 50, node.npVoltage);
  const ratio = rating.lockedRotorAmps / rating.fullLoadAmps;
  return {
    kind,
    induction: createInductionMachine(node.hp, node.npVoltage, node.poles, rating),
    ratedKva: (Math.sqrt(3) * node.npVoltage * node.npCurrent) / 1000,
    lockedRotorAmps: ratio * node.npCurrent,
    npVoltage: node.npVoltage,
    npCurrent: node.npCurrent,
    distortion: distortionOf(kind, uniform(seed, node.serial, channels.lineReactor, 0)),
  };
}

export function machineKindOf(node: SimNode): MachineKind {
  if (node.role === "field" || node.equipmentType === "DCMotor" || node.npFrequency === 0) return "direct";
  if (node.equipmentType === "SynchronousMotor") return "synchronous";
  if (node.equipmentType === "Rectifier") return "rectifier";
  if (node.equipmentType === "UtilityMain" || node.hp <= 0) return "feeder";
  return node.starter === "VFD" ? "drive" : "induction";
}

// Six-pulse spectra (5th to 19th) without, with 3 % and with 5 % line reactor
function distortionOf(kind: MachineKind, draw: number): number {
  if (kind === "rectifier") return 0.29;
  if (kind !== "drive") return 0;
  if (draw < 0.2) return 0.775;
  return draw < 0.7 ? 0.426 : 0.33;
}

/** Three-phase operating point at a load (per unit) and a line-to-line voltage; fills and returns `out`. */
export function loadPoint(machine: Machine, load: number, volts: number, out: LoadPoint): LoadPoint {
  out.distortion = machine.distortion === 0 ? 0 : Math.min(1, machine.distortion / Math.sqrt(Math.max(0.1, load)));
  switch (machine.kind) {
    case "induction":
      operate(machine.induction, load, volts, out);
      return out;
    case "synchronous":
      // over-excited: leading, 0.98
      return fromPower(shaftPower(machine.induction, load), -0.2, volts, out);
    case "drive":
      return fromPower(shaftPower(machine.induction, load) / 0.97, 0.25, volts, out);
    case "rectifier":
      return fromPower(0.95 * machine.ratedKva * load, 0.33, volts, out);
    default:
      return fromPower(0.92 * machine.ratedKva * load, 0.426, volts, out);
  }
}

function shaftPower(machine: InductionMachine, load: number): number {
  return machine.outputKw * load + machine.fixedLossKw + machine.variableLossKw * load * load;
}

function fromPower(powerKw: number, tangent: number, volts: number, out: LoadPoint): LoadPoint {
  out.powerKw = powerKw;
  out.reactiveKvar = powerKw * tangent;
  out.current = (1000 * powerKw * Math.sqrt(1 + tangent * tangent)) / (1.7320508075688772 * volts);
  out.slip = 0;
  return out;
}
