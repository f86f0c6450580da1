import { inflateSync } from "node:zlib";

const entryLength = 20;

/**
 * The font that a WOFF 1.0 file compresses (W3C, WOFF File Format 1.0, 3 and 4), table by table. PDF libraries read such a file too, but
 * inflate a table again for each glyph.
 */
export function openTypeOf(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("Not a WOFF file");
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const power = Math.floor(Math.log2(count));
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (count - 2 ** power), 10);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let index = 0; index < count; index++) {
    const entry = 44 + entryLength * index;
    const [offset = 0, packed = 0, length = 0, checksum = 0] = [4, 8, 12, 16].map((at) => woff.readUInt32BE(entry + at));
    const bytes = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(bytes, { maxOutputLength: length }) : bytes;
    const at = 12 + 16 * index;
    woff.copy(head, at, entry, entry + 4);
    for (const [place, value] of [checksum, end, length].entries()) head.writeUInt32BE(value, at + 4 + 4 * place);
    const padding = (4 - (length % 4)) % 4;
    parts.push(table, Buffer.alloc(padding));
    end += length + padding;
  }
  return Buffer.concat(parts);
}
