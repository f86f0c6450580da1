import { scalarField, type ScalarRow } from "./scalar-row.ts";
import type { SimNode } from "./sim-node.ts";
import { startCurrent, type Starting } from "./starting.ts";

export interface DirectCurrentSecond {
  node: SimNode;
  starting: Starting;
  /** Volts that the rectifier could give. */
  volts: number;
  load: number;
  /** Seconds since the start; negative while stopped. */
  since: number;
  idleAmps: number;
}

const armatureResistanceDrop = 0.05;

/** A DC machine or a field winding: one circuit, on channel 1; the other channels and the frequency are zero. */
export function fillDirectCurrent({ node, starting, volts, load, since, idleAmps }: DirectCurrentSecond, row: ScalarRow): void {
  row.fill(0);
  const isField = node.role === "field";
  let amps = idleAmps;
  let terminalVolts = 0;
  if (since >= 0) {
    const running = node.npCurrent * load;
    const isStarting = !isField && since < starting.durationSeconds;
    amps = isStarting ? startCurrent(starting, since, running, node.npCurrent, 1.5 * node.npCurrent) : running;
    const speed = isStarting ? Math.min(1, (since + 0.5) / starting.accelerationSeconds) : 1;
    // V = Kφω + I·R
    const reference = Math.min(volts, node.npVoltage);
    terminalVolts = isField
      ? reference * load
      : reference * (speed * (1 - armatureResistanceDrop) + (armatureResistanceDrop * amps) / node.npCurrent);
  }
  row[scalarField.i1] = amps;
  row[scalarField.v1] = terminalVolts;
  row[scalarField.p1] = (terminalVolts * amps) / 1000;
  row[scalarField.pf1] = terminalVolts * amps > 0 ? 1 : 0;
  if (isField) {
    row[scalarField.fieldVoltage] = terminalVolts;
    row[scalarField.fieldCurrent] = amps;
  }
}
