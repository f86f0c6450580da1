/** A value for each second, as one-second files have them; NaN where a second is missing. */
export interface SecondSeries {
  /** Epoch seconds of the first. */
  from: number;
  length: number;
  /** Three each: A, and V line-to-line. */
  currents: readonly Float64Array[];
  voltages: readonly Float64Array[];
  /** Whether the node saw a power-quality event in that second: it looks at every cycle. */
  isDisturbed: Uint8Array;
}

/** Mean of the active currents at a second; NaN when it is missing or no channel is active. */
export function meanCurrentAt({ currents }: SecondSeries, isActive: readonly boolean[], second: number): number {
  let sum = 0;
  let count = 0;
  for (let phase = 0; phase < 3; phase++) {
    if (!isActive[phase]) continue;
    sum += currents[phase]![second]!;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}
