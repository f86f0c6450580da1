import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";
import { createByteList } from "#lib/byte-list.ts";

const [max16, max32] = [0xffff, 0xffff_ffff];
const utf8Names = 0x0800;
/** Sizes and checksum come after the content instead of before it. */
const sizesBehind = 0x0008;
const deflated = 8;

/** What the directory says of an entry beside its name. */
interface EntryFigures {
  crc: number;
  size: number;
  packedSize: number;
}

/** Writes a zip (PKWARE APPNOTE 6.3) piece by piece. Of what has been written only the directory is kept, about 100 bytes an entry. */
export interface ZipWriter {
  /** One file whose deflated bytes are known, with checksum and size of what they hold. */
  addDeflated(name: string, packed: Uint8Array, content: { crc: number; size: number }, modified: Date): Promise<void>;
  /** One file as it comes, below 4 GB. What fails before its first bytes leaves nothing behind. */
  addStream(name: string, content: AsyncIterable<Uint8Array>, modified: Date): Promise<void>;
  /** The directory, which ends the zip. */
  end(): Promise<void>;
}

/** @param write takes a piece; it may be used again when the promise resolves */
export function createZipWriter(write: (piece: Uint8Array) => Promise<void>): ZipWriter {
  const directory = createByteList();
  let count = 0;
  let offset = 0;
  const put = async (piece: Uint8Array): Promise<void> => {
    offset += piece.length;
    await write(piece);
  };
  const putHeader = async (name: Buffer, common: Buffer): Promise<void> => {
    await put(Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, name]));
  };
  const list = (name: Buffer, common: Buffer, from: number): void => {
    directory.add(directoryEntry(common, name, from));
    count++;
  };
  return {
    async addDeflated(name, packed, { crc, size }, modified) {
      const nameBytes = Buffer.from(name, "utf8");
      const common = commonFields(nameBytes, utf8Names, { crc, size, packedSize: packed.length }, modified);
      const from = offset;
      await putHeader(nameBytes, common);
      await put(packed);
      list(nameBytes, common, from);
    },

    async addStream(name, content, modified) {
      const nameBytes = Buffer.from(name, "utf8");
      const from = offset;
      const figures: EntryFigures = { crc: 0, size: 0, packedSize: 0 };
      const fields = (known: EntryFigures) => commonFields(nameBytes, utf8Names | sizesBehind, known, modified);
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        for await (const piece of content) {
          figures.crc = crc32(piece, figures.crc);
          figures.size += piece.length;
          yield piece;
        }
      };
      await pipeline(counted, createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
        for await (const piece of packed) {
          if (figures.packedSize === 0) await putHeader(nameBytes, fields({ crc: 0, size: 0, packedSize: 0 }));
          figures.packedSize += piece.length;
          await put(piece);
        }
      });
      await put(sizesRecord(figures));
      list(nameBytes, fields(figures), from);
    },

    async end() {
      const size = directory.length;
      const end = Buffer.concat([zip64End(count, size, offset), endRecord(count, size, offset)]);
      for (const page of directory.pages()) await write(page);
      await write(end);
    },
  };
}

/** What the header of an entry and the directory have in common. */
function commonFields(name: Buffer, flags: number, { crc, size, packedSize }: EntryFigures, modified: Date): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(45, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(deflated, 4);
  common.writeUInt32LE(dosTime(modified), 6);
  common.writeUInt32LE(crc, 10);
  common.writeUInt32LE(packedSize, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(name.length, 22);
  return common;
}

function sizesRecord({ crc, size, packedSize }: EntryFigures): Buffer {
  const record = Buffer.alloc(16);
  record.write("PK\u0007\u0008", 0, "latin1");
  record.writeUInt32LE(crc, 4);
  record.writeUInt32LE(packedSize, 8);
  record.writeUInt32LE(size, 12);
  return record;
}

function directoryEntry(common: Buffer, name: Buffer, offset: number): Buffer {
  const isFar = offset >= max32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const head = Buffer.from("PK\u0001\u0002\u002d\u0003", "latin1");
  const own = Buffer.from(common);
  own.writeUInt16LE(extra.length, 24);
  // Comment, disk and internal attributes are none; a regular file that its owner may write and everyone read.
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(0o100644 * 0x10000, 6);
  tail.writeUInt32LE(Math.min(offset, max32), 10);
  return Buffer.concat([head, own, tail, name, extra]);
}

function zip64End(count: number, size: number, offset: number): Buffer {
  if (count < max16 && size < max32 && offset < max32) return Buffer.alloc(0);
  const record = Buffer.alloc(76);
  record.write("PK\u0006\u0006", 0, "latin1");
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.write("PK\u0006\u0007", 56, "latin1");
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.write("PK\u0005\u0006", 0, "latin1");
  record.writeUInt16LE(Math.min(count, max16), 8);
  record.writeUInt16LE(Math.min(count, max16), 10);
  record.writeUInt32LE(Math.min(size, max32), 12);
  record.writeUInt32LE(Math.min(offset, max32), 16);
  return record;
}

/** Two seconds' precision, UTC, from 1980 on. */
function dosTime(time: Date): number {
  const year = Math.max(0, time.getUTCFullYear() - 1980);
  const date = (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((date << 16) | (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)) >>> 0;
}
