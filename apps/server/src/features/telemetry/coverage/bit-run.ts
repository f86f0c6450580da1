const onesOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

/** How many bits are set from the first up to before the last; the highest bit of a byte comes first. */
export function countOnes(bytes: Uint8Array, from: number, to: number): number {
  if (to <= from) return 0;
  const [first, last] = [from >> 3, (to - 1) >> 3];
  const head = 0xff >> (from & 7);
  const tail = (0xff << (7 - ((to - 1) & 7))) & 0xff;
  if (first === last) return onesOfByte[bytes[first]! & head & tail]!;
  let ones = onesOfByte[bytes[first]! & head]! + onesOfByte[bytes[last]! & tail]!;
  for (let index = first + 1; index < last; index++) ones += onesOfByte[bytes[index]!]!;
  return ones;
}

export const hasBit = (bytes: Uint8Array, index: number): boolean => ((bytes[index >> 3]! >> (7 - (index & 7))) & 1) === 1;

/** The first bit that is set, or -1. */
export function firstOne(bytes: Uint8Array): number {
  for (let byte = 0; byte < bytes.length; byte++) if (bytes[byte] !== 0) return byte * 8 + Math.clz32(bytes[byte]!) - 24;
  return -1;
}

export function setBits(bytes: Uint8Array, from: number, to: number): void {
  for (let index = from; index < to; index++) bytes[index >> 3]! |= 0x80 >> (index & 7);
}
