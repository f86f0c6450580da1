import { kilowattsPerHorsepower, type MotorRating } from "./motor-table.ts";

/** Constants of one induction machine, prepared once. Powers in kW and kVAr, three-phase. */
export interface InductionMachine {
  outputKw: number;
  fixedLossKw: number;
  variableLossKw: number;
  magnetisingKvar: number;
  leakageKvar: number;
  npVoltage: number;
  lockedRotorAmps: number;
  fullLoadSlip: number;
}

export interface Operation {
  powerKw: number;
  reactiveKvar: number;
  /** Amperes per line. */
  current: number;
  slip: number;
}

export function createInductionMachine(hp: number, npVoltage: number, poles: number, rating: MotorRating): InductionMachine {
  const outputKw = hp * kilowattsPerHorsepower;
  const lossKw = outputKw * (1 / rating.efficiency - 1);
  const noLoadAmps = noLoadShare(poles) * rating.fullLoadAmps;
  // 0.993: the no-load current is nearly all magnetising
  const magnetisingKvar = (Math.sqrt(3) * npVoltage * noLoadAmps * 0.993) / 1000;
  const fullLoadKvar = (outputKw / rating.efficiency) * Math.tan(Math.acos(rating.powerFactor));
  return {
    outputKw,
    fixedLossKw: 0.4 * lossKw,
    variableLossKw: 0.6 * lossKw,
    magnetisingKvar,
    leakageKvar: fullLoadKvar - magnetisingKvar,
    npVoltage,
    lockedRotorAmps: rating.lockedRotorAmps,
    fullLoadSlip: rating.fullLoadSlip,
  };
}

function noLoadShare(poles: number): number {
  if (poles <= 2) return 0.25;
  return poles <= 4 ? 0.33 : 0.4;
}

/** Steady state at load `load` (per unit of rated shaft power) and `volts` line-to-line; fills and returns `out`. */
export function operate(machine: InductionMachine, load: number, volts: number, out: Operation): Operation {
  const v = volts / machine.npVoltage;
  const loadSquared = load * load;
  const powerKw = machine.outputKw * load + machine.fixedLossKw + machine.variableLossKw * loadSquared;
  const reactiveKvar = machine.magnetisingKvar * v * v + machine.leakageKvar * loadSquared;
  out.powerKw = powerKw;
  out.reactiveKvar = reactiveKvar;
  out.current = (1000 * Math.sqrt(powerKw * powerKw + reactiveKvar * reactiveKvar)) / (1.7320508075688772 * volts);
  out.slip = (machine.fullLoadSlip * load) / (v * v);
  return out;
}
