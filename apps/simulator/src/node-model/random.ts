// Counter-based randomness: a value depends only on (seed, id, channel, index), never on what was asked before, so
// any second of any node can be produced in any order and history agrees with the live stream.

/** 32 random bits for one point of one channel of one node or facility (murmur3 over three words). */
export function hash32(seed: number, id: number, channel: number, index: number): number {
  let h = seed | 0;
  let k = Math.imul(id, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  h ^= k;
  h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  k = Math.imul(channel, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  h ^= k;
  h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  k = Math.imul(index, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  h ^= k;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const perUint32 = 1 / 0x1_0000_0000;

/** Uniform in [0, 1). */
export function uniform(seed: number, id: number, channel: number, index: number): number {
  return hash32(seed, id, channel, index) * perUint32;
}

/** Uniform in [low, high). */
export function between(low: number, high: number, seed: number, id: number, channel: number, index: number): number {
  return low + (high - low) * uniform(seed, id, channel, index);
}

/** Smooth noise in [-1, 1]: independent values every `periodSeconds`, smoothstep between them. */
export function noise(seed: number, id: number, channel: number, epochSeconds: number, periodSeconds: number): number {
  const position = epochSeconds / periodSeconds;
  const index = Math.floor(position);
  const fraction = position - index;
  const weight = fraction * fraction * (3 - 2 * fraction);
  const before = hash32(seed, id, channel, index);
  const after = hash32(seed, id, channel, index + 1);
  return (before + (after - before) * weight) * (2 * perUint32) - 1;
}

/** Standard normal deviate (Box-Muller on two channels' values). */
export function gaussian(seed: number, id: number, channel: number, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - uniform(seed, id, channel, index)));
  return radius * Math.cos(2 * Math.PI * uniform(seed, id, channel ^ 0x40000000, index));
}

export function lognormal(median: number, sigma: number, seed: number, id: number, channel: number, index: number): number {
  return median * Math.exp(sigma * gaussian(seed, id, channel, index));
}

/** Beta(2, 5): the second smallest of six uniforms. */
export function beta25(seed: number, id: number, channel: number, index: number): number {
  let smallest = 1;
  let second = 1;
  for (let i = 0; i < 6; i++) {
    const value = uniform(seed, id, channel + 0x10000 * (i + 1), index);
    if (value < smallest) {
      second = smallest;
      smallest = value;
    } else if (value < second) second = value;
  }
  return second;
}

/** Poisson count for a mean well below ten, by inversion. */
export function poisson(mean: number, seed: number, id: number, channel: number, index: number): number {
  const target = uniform(seed, id, channel, index);
  let probability = Math.exp(-mean);
  let cumulative = probability;
  let count = 0;
  while (target > cumulative && count < 50) {
    count++;
    probability *= mean / count;
    cumulative += probability;
  }
  return count;
}

/** A 32-bit id for a text key (FNV-1a). */
export function idOfText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
