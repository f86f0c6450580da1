import { quantities, type Quantity } from "@busbar/contract/telemetry/quantities.ts";
import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { imbalancePercent } from "@busbar/metering/imbalance.ts";
import { meanOfPhases } from "@busbar/metering/phases.ts";
import type { ScalarColumns } from "./scalar-columns.ts";

/** What of a node decides how its scalars are read. */
export interface NodeChannels {
  activeVoltages: readonly boolean[];
  activeCurrents: readonly boolean[];
  /** Its one circuit is on channel 1. */
  isDirect: boolean;
  /** At and below them there is nothing to compare, in V and A. */
  voltageNoise: number;
  currentNoise: number;
}

export const scalarQuantities: readonly Quantity[] = quantities.filter(({ isInScalars }) => isInScalars);

/**
 * The values of a quantity, one for each scalar; NaN where it has none. Of `runningSeconds` whether it ran, 1 or 0; of `startCount`
 * 1 where it runs and did not at the scalar before.
 */
export function scalarValues(id: string, scalars: ScalarColumns, channels: NodeChannels): Float64Array {
  const [family, phase] = /^(current|voltage)([123])?$/.exec(id)?.slice(1) ?? [];
  if (family === "current") return phaseValues(scalars.currents, phase, only(channels.activeCurrents, channels.isDirect));
  if (family === "voltage") return phaseValues(scalars.voltages, phase, only(channels.activeVoltages, channels.isDirect));
  if (id === "lineFrequency") return channels.isDirect ? scalars.at.map(() => Number.NaN) : finite(scalars.lineFrequency);
  if (id === "voltageImbalance") return imbalances(scalars.voltages, channels.activeVoltages, channels.isDirect, channels.voltageNoise);
  if (id === "currentImbalance") return imbalances(scalars.currents, channels.activeCurrents, channels.isDirect, channels.currentNoise);
  const running = scalars.flag.map((flag) => (Number.isNaN(flag) ? flag : (flag & scalarFlagBits.isRunning) === 0 ? 0 : 1));
  if (id === "runningSeconds") return running;
  return running.map((runs, index) => (Number.isNaN(runs) ? runs : runs === 1 && running[index - 1] === 0 ? 1 : 0));
}

const only = (active: readonly boolean[], isDirect: boolean) => (isDirect ? [active[0] === true, false, false] : active);
const finite = (values: Float64Array) => values.map((value) => (Number.isFinite(value) ? value : Number.NaN));

function phaseValues(columns: ScalarColumns["currents"], phase: string | undefined, active: readonly boolean[]): Float64Array {
  if (phase !== undefined) {
    const index = Number(phase) - 1;
    return active[index] ? finite(columns[index]!) : columns[0].map(() => Number.NaN);
  }
  const [one, two, three] = columns;
  return one.map((value, index) => meanOfPhases([value, two[index]!, three[index]!], active) ?? Number.NaN);
}

function imbalances(columns: ScalarColumns["currents"], active: readonly boolean[], isDirect: boolean, noise: number): Float64Array {
  const [one, two, three] = columns;
  if (isDirect || !active.every(Boolean)) return one.map(() => Number.NaN);
  return one.map((value, index) => {
    const percent = imbalancePercent([value, two[index]!, three[index]!], noise);
    return percent !== null && Number.isFinite(percent) ? percent : Number.NaN;
  });
}
