import { kwPerHorsePower, motorEfficiency } from "./motor.ts";
import type { WiredMachine } from "./wiring.ts";

/** Angles in radians by which a current may lag its own voltage; negative: lead. */
export interface LagRange {
  least: number;
  most: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const range = (least: number, most: number): LagRange => ({ least: radians(least), most: radians(most) });

/** Errors of CTs, of their burden and of the meter: a few degrees at low current. */
const measuringError = radians(3);
/** Of full load; more is an overload that no one commissions with. */
const mostCurrent = 1.35;

// Supply side of a six-pulse bridge: near unity, with a little for the commutation and for distortion that is not known.
const bridge = range(-12, 48);
const others = {
  drive: bridge,
  rectifier: bridge,
  // From 0.5 leading (over-excited) to 0.5 lagging
  synchronous: range(-60, 60),
  // With capacitors a little leading
  main: range(-32, 62),
} as const;

/**
 * By which angles a machine's current can lag at a share of its full-load current.
 *
 * An induction motor's reactive current is its magnetising current m and a part that grows with the square of the active current: i_q = m + g·i_p²,
 * g = (sin φ_fl − m)/cos² φ_fl, the parabola at the foot of the circle diagram (Heyland 1894; IEEE Std 112, 5.9 for m from the no-load test).
 * With i² = i_p² + i_q² the lag follows from i alone. m and the full-load power factor have the spread of the trade, so the answer is a range.
 * @param share of the full-load current; undefined: full load is not known, any is possible
 * @param volts share of the nameplate voltage, to which m is proportional
 * @returns undefined when no such machine draws such a current
 */
export function expectedLag(machine: WiredMachine, share: number | undefined, volts: number): LagRange | undefined {
  if (machine.kind !== "induction") {
    return share !== undefined && share > mostCurrent ? undefined : others[machine.kind];
  }
  if (share === undefined) return range(10, 89);
  if (share > mostCurrent) return undefined;
  const [leastMagnetising, mostMagnetising] = magnetisingShare(machine.poles).map((each) => each * volts) as [number, number];
  if (share < 0.85 * leastMagnetising) return undefined;
  const powerFactor = fullLoadPowerFactor(machine);
  // Above full load the smaller magnetising current has the greater lag.
  const lags = (factor: number) => [leastMagnetising, mostMagnetising].map((magnetising) => lagAt(share, magnetising, factor));
  return {
    least: Math.min(...lags(powerFactor.most)) - measuringError,
    most: Math.min(Math.PI / 2, Math.max(...lags(powerFactor.least)) + measuringError),
  };
}

/** Lag at a current, for a magnetising current and a full-load power factor; a quarter turn at and below the magnetising current. */
function lagAt(current: number, magnetising: number, powerFactor: number): number {
  if (current <= magnetising) return Math.PI / 2;
  const sine = Math.sqrt(1 - powerFactor * powerFactor);
  const growth = Math.max(0, sine - magnetising) / (powerFactor * powerFactor);
  // g²·x² + (1 + 2mg)·x + m² − i² = 0 for x = i_p²
  const linear = 1 + 2 * magnetising * growth;
  const missing = current * current - magnetising * magnetising;
  const square = growth === 0 ? missing : (-linear + Math.sqrt(linear * linear + 4 * growth * growth * missing)) / (2 * growth * growth);
  return Math.acos(Math.min(1, Math.sqrt(Math.max(0, square)) / current));
}

// No-load current of 460 V motors over full-load current: makers' tables; small and slow machines have the most.
function magnetisingShare(poles: number | undefined): readonly [number, number] {
  if (poles === undefined) return [0.18, 0.6];
  if (poles <= 2) return [0.2, 0.36];
  if (poles <= 4) return [0.25, 0.45];
  return poles <= 6 ? [0.32, 0.52] : [0.36, 0.65];
}

/** From the nameplate, P_shaft/η over √3·U·I; the usual range without it. */
function fullLoadPowerFactor({ npHp, npVoltage, npCurrent }: WiredMachine): { least: number; most: number } {
  const usual = { least: 0.74, most: 0.93 };
  if (!npHp || !npVoltage || !npCurrent) return usual;
  const kva = (Math.sqrt(3) * npVoltage * npCurrent) / 1000;
  const powerFactor = (npHp * kwPerHorsePower) / motorEfficiency(npHp) / kva;
  // A nameplate that says otherwise is of another machine.
  if (powerFactor < 0.6 || powerFactor > 0.97) return usual;
  return { least: powerFactor - 0.035, most: Math.min(0.96, powerFactor + 0.035) };
}
