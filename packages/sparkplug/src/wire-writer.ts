/** A growing buffer for one message; nested messages get their length afterwards. */
export interface WireWriter {
  bytes: Uint8Array;
  view: DataView;
  position: number;
}

export function createWireWriter(initialBytes = 1024): WireWriter {
  const bytes = new Uint8Array(initialBytes);
  return { bytes, view: new DataView(bytes.buffer), position: 0 };
}

function reserve(writer: WireWriter, count: number): void {
  if (writer.position + count <= writer.bytes.length) return;
  const bytes = new Uint8Array(Math.max(writer.bytes.length * 2, writer.position + count));
  bytes.set(writer.bytes);
  writer.bytes = bytes;
  writer.view = new DataView(bytes.buffer);
}

/** Unsigned varint of a whole number from 0 to 2^53. */
export function writeUint(writer: WireWriter, value: number): void {
  reserve(writer, 10);
  while (value >= 0x80) {
    writer.bytes[writer.position++] = (value % 0x80) | 0x80;
    value = Math.floor(value / 0x80);
  }
  writer.bytes[writer.position++] = value;
}

/** The low 64 bits of a whole number, negative ones as two's complement. */
export function writeInt64(writer: WireWriter, value: number | bigint): void {
  if (typeof value === "number" && value >= 0 && Number.isSafeInteger(value)) return writeUint(writer, value);
  let rest = BigInt.asUintN(64, BigInt(value));
  reserve(writer, 10);
  while (rest >= 0x80n) {
    writer.bytes[writer.position++] = Number(rest & 0x7fn) | 0x80;
    rest >>= 7n;
  }
  writer.bytes[writer.position++] = Number(rest);
}

export function writeFloat(writer: WireWriter, value: number): void {
  reserve(writer, 4);
  writer.view.setFloat32(writer.position, value, true);
  writer.position += 4;
}

export function writeDouble(writer: WireWriter, value: number): void {
  reserve(writer, 8);
  writer.view.setFloat64(writer.position, value, true);
  writer.position += 8;
}

export function writeBytes(writer: WireWriter, bytes: Uint8Array): void {
  writeUint(writer, bytes.length);
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.position);
  writer.position += bytes.length;
}

const utf8 = new TextEncoder();

export function writeString(writer: WireWriter, text: string): void {
  writeBytes(writer, utf8.encode(text));
}

/** Writes `key`, then what `write` writes with its length before it. */
export function writeNested<T>(writer: WireWriter, key: number, value: T, write: (writer: WireWriter, value: T) => void): void {
  writeUint(writer, key);
  reserve(writer, 1);
  const start = ++writer.position;
  write(writer, value);
  const length = writer.position - start;
  if (length >= 0x80) {
    // Most metrics are shorter than 128 bytes; the others move to make room for a longer length.
    const extra = Math.ceil(Math.log2(length + 1) / 7) - 1;
    reserve(writer, extra);
    writer.bytes.copyWithin(start + extra, start, start + length);
    writer.position = start - 1;
    writeUint(writer, length);
    writer.position += length;
  } else writer.bytes[start - 1] = length;
}
