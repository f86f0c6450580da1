import type { Grid } from "./grid.ts";

/** How many points a row has at most, and how many bytes it needs for the seconds that each covers. */
export interface PackedShape {
  count: number;
  secondsBytes: 1 | 2 | 4;
}
export const minutesOfHour: PackedShape = { count: 60, secondsBytes: 1 };
export const quartersOfDay: PackedShape = { count: 96, secondsBytes: 2 };
/** Days of a month at a place. */
export const daysOfMonth: PackedShape = { count: 31, secondsBytes: 4 };

/**
 * A run of a grid as one value: how many lists of numbers it has (1 where means, minima and maxima are all the same, else 3), a bit for
 * each point that there is, their covered seconds, and the lists as 32-bit floats; little-endian, as all processors are that it runs on.
 * @returns null when there are no points
 */
export function packPoints({ covered, mean, minimum, maximum }: Grid, first: number, { count, secondsBytes }: PackedShape): Buffer | null {
  const places: number[] = [];
  let isPlain = true;
  for (let index = first; index < first + count && index < covered.length; index++) {
    if (covered[index] === 0) continue;
    places.push(index);
    isPlain &&= minimum[index] === mean[index] && maximum[index] === mean[index];
  }
  if (places.length === 0) return null;
  const maskBytes = Math.ceil(count / 8);
  const lists = isPlain ? [mean] : [mean, minimum, maximum];
  const packed = Buffer.alloc(1 + maskBytes + places.length * (secondsBytes + 4 * lists.length));
  packed[0] = lists.length;
  let offset = 1 + maskBytes;
  for (const index of places) {
    const place = index - first;
    packed[1 + (place >> 3)]! |= 1 << (place & 7);
    packed.writeUIntLE(Math.min(Math.round(covered[index]!), 2 ** (8 * secondsBytes) - 1), offset, secondsBytes);
    offset += secondsBytes;
  }
  for (const list of lists)
    for (const index of places) {
      packed.writeFloatLE(list[index]!, offset);
      offset += 4;
    }
  return packed;
}

/** Puts packed points into a grid from a place on, in place of what was there. Points before and after the grid are left out. */
export function unpackPoints(packed: Buffer, { count, secondsBytes }: PackedShape, grid: Grid, first: number): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const maskBytes = Math.ceil(count / 8);
  const listCount = packed[0]!;
  const start = 1 + maskBytes;
  const total = (packed.length - start) / (secondsBytes + 4 * listCount);
  const means = start + total * secondsBytes;
  const [lows, highs] = listCount === 1 ? [means, means] : [means + 4 * total, means + 8 * total];
  let place = 0;
  for (let index = 0; index < count; index++) {
    if ((packed[1 + (index >> 3)]! & (1 << (index & 7))) === 0) continue;
    const own = place++;
    const target = first + index;
    if (target < 0 || target >= grid.covered.length) continue;
    const at = start + own * secondsBytes;
    const seconds = secondsBytes === 1 ? packed[at]! : secondsBytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
    grid.covered[target] = seconds;
    grid.mean[target] = view.getFloat32(means + 4 * own, true);
    grid.minimum[target] = view.getFloat32(lows + 4 * own, true);
    grid.maximum[target] = view.getFloat32(highs + 4 * own, true);
  }
}
