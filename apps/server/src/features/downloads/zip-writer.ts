import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync } from "node:zlib";

const deflate = promisify(deflateRaw);
/** Smaller contents are deflated at once: the way to another thread costs more. */
const inlineBytes = 64 * 1024;
const [max16, max32] = [0xffff, 0xffff_ffff];
const utf8Names = 0x0800;
const deflated = 8;
/** Deflated, without name, comment or extra fields. */
const plainGzip = 0x1f8b0800;

/** The bytes of a zip (PKWARE APPNOTE 6.3), piece by piece. Of what has been written only the directory's entries are kept. */
export interface ZipWriter {
  /** One file: its header and its content. Contents are below 4 GB. */
  add(name: string, content: Buffer, modified: Date): Promise<Buffer>;
  /** The same of a gzip that is known to be whole: its deflated bytes are taken over as they are. Undefined when its header is not the plain one. */
  addGzip(name: string, gzip: Buffer, modified: Date): Buffer | undefined;
  /** The directory, which ends the zip. */
  end(): Buffer;
}

export function createZipWriter(): ZipWriter {
  const directory: Buffer[] = [];
  let offset = 0;
  const write = (name: string, packed: Buffer, { crc, size }: { crc: number; size: number }, modified: Date): Buffer => {
    const nameBytes = Buffer.from(name, "utf8");
    const common = Buffer.alloc(26);
    common.writeUInt16LE(45, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt32LE(dosTime(modified), 6);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    directory.push(directoryEntry(common, nameBytes, offset));
    const written = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, nameBytes, packed]);
    offset += written.length;
    return written;
  };
  return {
    async add(name, content, modified) {
      const packed = content.length < inlineBytes ? deflateRawSync(content) : await deflate(content);
      return write(name, packed, { crc: crc32(content), size: content.length }, modified);
    },
    addGzip(name, gzip, modified) {
      // RFC 1952: ten bytes before, checksum and size behind.
      const isPlain = gzip.length >= 18 && gzip.readUInt32BE(0) === plainGzip;
      if (!isPlain) return undefined;
      const end = gzip.length - 8;
      return write(name, gzip.subarray(10, end), { crc: gzip.readUInt32LE(end), size: gzip.readUInt32LE(end + 4) }, modified);
    },
    end() {
      const entries = Buffer.concat(directory);
      return Buffer.concat([
        entries,
        zip64End(directory.length, entries.length, offset),
        endRecord(directory.length, entries.length, offset),
      ]);
    },
  };
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
  // Comment, disk and internal attributes are none; a regular file that its owner may write and everybody read.
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
