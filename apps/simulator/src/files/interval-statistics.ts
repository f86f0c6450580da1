import type { PlantNode } from "#node-model/plant.ts";
import { createScalarRow, scalarField as f } from "#node-model/scalar-row.ts";

/** Average, smallest and largest of one quantity over an interval; `count` seconds went in. */
export interface Statistic {
  average: number;
  minimum: number;
  maximum: number;
}

export interface IntervalStatistics {
  /** Total first, then the three phases: root of the mean of squares for volts and amperes, arithmetic mean for powers. */
  voltage: Statistic[];
  current: Statistic[];
  powerKw: Statistic[];
  powerKva: Statistic[];
  powerKvar: Statistic[];
  powerFactor: Statistic[];
  lineFrequency: Statistic;
  fieldVoltage: Statistic;
  fieldCurrent: Statistic;
  runningSeconds: number;
  starts: number;
  stops: number;
  ampHours: number;
  kilowattHours: number;
  kilovarHours: number;
  /** Seconds that the node measured, and those without power. */
  samples: number;
  missing: number;
}

class Gathering {
  count = 0;
  sum = 0;
  minimum = Infinity;
  maximum = -Infinity;
  readonly isSquare: boolean;
  constructor(isSquare: boolean) {
    this.isSquare = isSquare;
  }
  add(value: number): void {
    this.count++;
    this.sum += this.isSquare ? value * value : value;
    if (value < this.minimum) this.minimum = value;
    if (value > this.maximum) this.maximum = value;
  }
  result(): Statistic {
    const mean = this.count === 0 ? 0 : this.sum / this.count;
    return { average: this.isSquare ? Math.sqrt(mean) : mean, minimum: this.minimum, maximum: this.maximum };
  }
}

const fourOf = (isSquare: boolean) => [0, 1, 2, 3].map(() => new Gathering(isSquare));

/**
 * What a node measured in each second of [from, from + seconds), put together as domain rules say.
 * @returns undefined when it had no power in all that time
 */
export function intervalStatistics(
  { model, link }: PlantNode,
  from: number,
  seconds: number,
  isDirect: boolean,
): IntervalStatistics | undefined {
  const row = createScalarRow();
  const [voltage, current] = [fourOf(true), fourOf(true)];
  const [powerKw, powerKva, powerKvar, powerFactor] = [fourOf(false), fourOf(false), fourOf(false), fourOf(false)];
  const [lineFrequency, fieldVoltage, fieldCurrent] = [new Gathering(false), new Gathering(true), new Gathering(true)];
  const phases = isDirect ? 1 : 3;
  let [runningSeconds, starts, stops, ampSeconds, kwSeconds, kvarSeconds, missing] = [0, 0, 0, 0, 0, 0, 0];
  let wasRunning: boolean | undefined;
  for (let t = from; t < from + seconds; t++) {
    if (!link.at(t).isPowered) {
      missing++;
      continue;
    }
    model.scalarAt(t, row);
    let [volts, amps, kw, kva, kvar] = [0, 0, 0, 0, 0];
    for (let k = 0; k < phases; k++) {
      const [p, q] = [row[f.p1 + k]!, row[f.q1 + k]!];
      const s = Math.hypot(p, q);
      voltage[k + 1]!.add(row[f.v1 + k]!);
      current[k + 1]!.add(row[f.i1 + k]!);
      powerKw[k + 1]!.add(p);
      powerKva[k + 1]!.add(s);
      powerKvar[k + 1]!.add(q);
      powerFactor[k + 1]!.add(row[f.pf1 + k]!);
      volts += row[f.v1 + k]! / phases;
      amps += row[f.i1 + k]! / phases;
      kw += p;
      kva += s;
      kvar += q;
    }
    voltage[0]!.add(volts);
    current[0]!.add(amps);
    powerKw[0]!.add(kw);
    powerKva[0]!.add(kva);
    powerKvar[0]!.add(kvar);
    powerFactor[0]!.add(kva > 0 ? kw / kva : 0);
    lineFrequency.add(row[f.lf]!);
    fieldVoltage.add(row[f.fieldVoltage]!);
    fieldCurrent.add(row[f.fieldCurrent]!);
    const isRunning = row[f.running] === 1;
    if (isRunning) runningSeconds++;
    if (wasRunning === false && isRunning) starts++;
    if (wasRunning === true && !isRunning) stops++;
    wasRunning = isRunning;
    ampSeconds += amps;
    kwSeconds += kw;
    kvarSeconds += kvar;
  }
  if (missing === seconds) return undefined;
  const results = (gatherings: readonly Gathering[]) => gatherings.filter(({ count }) => count > 0).map((gathering) => gathering.result());
  return {
    voltage: results(voltage),
    current: results(current),
    powerKw: results(powerKw),
    powerKva: results(powerKva),
    powerKvar: results(powerKvar),
    powerFactor: results(powerFactor),
    lineFrequency: lineFrequency.result(),
    fieldVoltage: fieldVoltage.result(),
    fieldCurrent: fieldCurrent.result(),
    runningSeconds,
    starts,
    stops,
    ampHours: ampSeconds / 3600,
    kilowattHours: kwSeconds / 3600,
    kilovarHours: kvarSeconds / 3600,
    samples: seconds - missing,
    missing,
  };
}
