const oid = 25;
const headerBytes = 20;
const lengthBytes = 4;

/**
 * Texts as an array in PostgreSQL's binary protocol (`array_recv`), NULL where there is none. In the protocol's text each of them would be searched for
 * what needs quotation marks, and the whole searched for them again.
 */
export function textArray(texts: readonly (string | null)[]): Buffer {
  let size = headerBytes;
  for (const text of texts) size += lengthBytes + (text === null ? 0 : Buffer.byteLength(text));
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(texts.length === 0 ? 0 : 1, 0); // dimensions
  array.writeInt32BE(1, 4); // may hold NULL
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(texts.length, 12);
  array.writeInt32BE(1, 16); // index of the first
  let end = headerBytes;
  for (const text of texts) {
    const from = end + lengthBytes;
    const length = text === null ? -1 : array.write(text, from);
    array.writeInt32BE(length, end);
    end = from + Math.max(0, length);
  }
  return array.subarray(0, texts.length === 0 ? 12 : end);
}
