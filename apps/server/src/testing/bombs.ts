import { constants, crc32, deflateRawSync } from "node:zlib";

const step = 1024 * 1024;

/** A right gzip of so many bytes, whole megabytes, all the same. It is made of repeated blocks: quickly, and without holding them. */
export function gzipOfSame(bytes: number, byte: string): Buffer {
  const content = Buffer.alloc(step, byte);
  const block = deflateRawSync(content, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: bytes / step }, () => block);
  const crc = blocks.reduce((sum) => crc32(content, sum), 0);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(bytes % 2 ** 32, 4);
  const lastBlock = Buffer.from([3, 0]);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), ...blocks, lastBlock, trailer]);
}

/** A zip whose many entries all share the same bytes, which unpack to a hundred times as many. */
export function overlappingZip(entries: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(10 * step));
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(Buffer.alloc(10 * step)), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(10 * step, 18);
  fields.writeUInt16LE(5, 22);
  const directory = Array.from({ length: entries }, (_, index) =>
    Buffer.concat([
      Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"),
      fields,
      Buffer.alloc(14),
      Buffer.from(String(10_000 + (index % 90_000))),
    ]),
  );
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), fields, Buffer.from("10000"), packed]);
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(Math.min(entries, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries, 0xffff), 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, all, end]);
}
