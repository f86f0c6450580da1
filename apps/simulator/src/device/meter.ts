import { scalarField as f, type ScalarRow } from "#node-model/scalar-row.ts";

/** Totals of the last second and what has added up since the last reset. */
export interface Meter {
  kw: number;
  kva: number;
  kvar: number;
  powerFactor: number;
  runningSeconds: number;
  ampHours: number;
  kilowattHours: number;
  kilovarHours: number;
  lastSampleAt: number;
}

export function createMeter(): Meter {
  return {
    kw: 0,
    kva: 0,
    kvar: 0,
    powerFactor: 0,
    runningSeconds: 0,
    ampHours: 0,
    kilowattHours: 0,
    kilovarHours: 0,
    lastSampleAt: Number.NEGATIVE_INFINITY,
  };
}

export function resetMeter(meter: Meter): void {
  meter.runningSeconds = 0;
  meter.ampHours = 0;
  meter.kilowattHours = 0;
  meter.kilovarHours = 0;
}

/** Takes one second's values over the time since the sample before; a gap counts for 1.5 intervals at most, as the host counts it. */
export function addSample(meter: Meter, row: ScalarRow, epochSeconds: number, intervalSeconds: number, isDirect: boolean): void {
  const elapsed = Math.min(Math.max(0, epochSeconds - meter.lastSampleAt), 1.5 * intervalSeconds);
  meter.lastSampleAt = epochSeconds;
  meter.kw = row[f.p1]! + row[f.p2]! + row[f.p3]!;
  // total apparent power is the arithmetic sum over the phases
  meter.kva = phaseKva(row, 0) + phaseKva(row, 1) + phaseKva(row, 2);
  const sign = Math.sign(row[f.q1]! + row[f.q2]! + row[f.q3]!);
  meter.kvar = sign * Math.sqrt(Math.max(0, meter.kva * meter.kva - meter.kw * meter.kw));
  meter.powerFactor = meter.kva > 0 ? meter.kw / meter.kva : 0;
  const amps = isDirect ? row[f.i1]! : (row[f.i1]! + row[f.i2]! + row[f.i3]!) / 3;
  if (row[f.running] === 1) meter.runningSeconds += elapsed;
  meter.ampHours += (amps * elapsed) / 3600;
  meter.kilowattHours += (meter.kw * elapsed) / 3600;
  meter.kilovarHours += (meter.kvar * elapsed) / 3600;
}

function phaseKva(row: ScalarRow, k: number): number {
  return Math.hypot(row[f.p1 + k]!, row[f.q1 + k]!);
}
