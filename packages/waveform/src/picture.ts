import type { PhaseChannel } from "./phases.ts";

/** Columns of a picture, at most. */
export const pictureColumns = 120;
const channels = 6;
const missing = -128;
const full = 127;

/**
 * A small drawing of a record as bytes: for IA, IB, IC, VA, VB, VC in this order and for each column the lowest and the highest value as
 * signed bytes, 127 for the highest of all currents or of all voltages, -128 for none. All columns of a channel follow each other, so that
 * the length says how many there are: 12 bytes a column, 1,440 at most.
 * @returns undefined where there is nothing to draw
 */
export function drawPicture(
  times: Float64Array,
  currents: readonly PhaseChannel[],
  voltages: readonly PhaseChannel[],
): Uint8Array | undefined {
  const start = times[0] ?? 0;
  const length = (times.at(-1) ?? 0) - start;
  if (!(length > 0)) return undefined;
  const columns = Math.min(pictureColumns, times.length);
  const columnOf = (index: number) => Math.min(columns - 1, Math.floor(((times[index]! - start) / length) * columns));
  const bytes = new Int8Array(channels * columns * 2).fill(missing);
  let isEmpty = true;
  for (const [group, list] of [currents, voltages].entries()) {
    const shown = [0, 1, 2].map((place) => list.find((channel) => channel.place === place));
    let scale = 0;
    for (const channel of shown) if (channel) scale = Math.max(scale, peakOf(channel));
    for (const [place, channel] of shown.entries()) {
      if (!channel || scale === 0) continue;
      isEmpty = false;
      const at = (group * 3 + place) * columns * 2;
      for (const [index, value] of channel.values.entries()) {
        if (!isValue(value * channel.factor)) continue;
        const byte = Math.round(((value * channel.factor) / scale) * full);
        const low = at + columnOf(index) * 2;
        bytes[low] = bytes[low] === missing ? byte : Math.min(bytes[low]!, byte);
        bytes[low + 1] = Math.max(bytes[low + 1]!, byte);
      }
    }
  }
  return isEmpty ? undefined : new Uint8Array(bytes.buffer);
}

const highest = 1e9;
const isValue = (value: number): boolean => Math.abs(value) <= highest;

function peakOf({ values, factor }: PhaseChannel): number {
  let peak = 0;
  for (const value of values) {
    const size = Math.abs(value * factor);
    if (size <= highest && size > peak) peak = size;
  }
  return peak;
}
