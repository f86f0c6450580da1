import { SparkplugDecodeError } from "./decode-error.ts";

/** Limits of one payload; each has a default that real payloads stay far below. */
export interface DecodeLimits {
  maxMetrics: number;
  maxDepth: number;
  maxStringBytes: number;
  /** Data set elements and properties together. */
  maxElements: number;
}

/** Position and budgets of one decode. All reads stop at the `end` of the message that is being read. */
export interface WireReader {
  bytes: Uint8Array;
  view: DataView;
  position: number;
  limits: DecodeLimits;
  metricCount: number;
  elementCount: number;
}

export function createWireReader(bytes: Uint8Array, limits: DecodeLimits): WireReader {
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    position: 0,
    limits,
    metricCount: 0,
    elementCount: 0,
  };
}

/** Unsigned varint of up to 64 bits; a `bigint` beyond 2^53. */
export function readInteger(reader: WireReader, end: number): number | bigint {
  const bytes = reader.bytes;
  let position = reader.position;
  // 28 + 28 + 8 bits, so that each part stays in integer arithmetic
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let index = 0; index < 10; index++) {
    if (position >= end) throw new SparkplugDecodeError("truncated");
    const byte = bytes[position++]!;
    if (index < 4) low |= (byte & 0x7f) << (7 * index);
    else if (index < 8) middle |= (byte & 0x7f) << (7 * (index - 4));
    else high |= (byte & 0x7f) << (7 * (index - 8));
    if (byte < 0x80) {
      reader.position = position;
      if (high === 0 && middle < 0x2000000) return middle * 0x10000000 + low;
      return BigInt.asUintN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
    }
  }
  throw new SparkplugDecodeError("varint-too-long");
}

/** As `readInteger`, rounded to a `number` beyond 2^53. */
export function readNumber(reader: WireReader, end: number): number {
  const position = reader.position;
  if (position < end) {
    const byte = reader.bytes[position]!;
    if (byte < 0x80) {
      reader.position = position + 1;
      return byte;
    }
  }
  return Number(readInteger(reader, end));
}

export function readBoolean(reader: WireReader, end: number): boolean {
  return readNumber(reader, end) !== 0;
}

export function readFloat(reader: WireReader, end: number): number {
  const position = reader.position;
  if (position + 4 > end) throw new SparkplugDecodeError("truncated");
  reader.position = position + 4;
  return reader.view.getFloat32(position, true);
}

export function readDouble(reader: WireReader, end: number): number {
  const position = reader.position;
  if (position + 8 > end) throw new SparkplugDecodeError("truncated");
  reader.position = position + 8;
  return reader.view.getFloat64(position, true);
}

/** Reads a length and returns where the field that follows it ends. */
export function readFieldEnd(reader: WireReader, end: number): number {
  const length = readNumber(reader, end);
  const fieldEnd = reader.position + length;
  if (fieldEnd > end) throw new SparkplugDecodeError("length-beyond-buffer");
  return fieldEnd;
}

/** A view into the payload, not a copy. */
export function readBytes(reader: WireReader, end: number): Uint8Array {
  const fieldEnd = readFieldEnd(reader, end);
  const bytes = reader.bytes.subarray(reader.position, fieldEnd);
  reader.position = fieldEnd;
  return bytes;
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

interface Latin1Sliceable {
  latin1Slice?: (start: number, end: number) => string;
}

export function readString(reader: WireReader, end: number): string {
  const fieldEnd = readFieldEnd(reader, end);
  const start = reader.position;
  if (fieldEnd - start > reader.limits.maxStringBytes) throw new SparkplugDecodeError("string-too-long");
  reader.position = fieldEnd;
  const bytes = reader.bytes;
  let isAscii = true;
  for (let index = start; index < fieldEnd; index++) {
    if (bytes[index]! >= 0x80) {
      isAscii = false;
      break;
    }
  }
  // Node's Buffer decodes short ASCII several times faster than TextDecoder.
  const { latin1Slice } = bytes as Latin1Sliceable;
  if (isAscii && latin1Slice !== undefined) return latin1Slice.call(bytes, start, fieldEnd);
  try {
    return strictUtf8.decode(bytes.subarray(start, fieldEnd));
  } catch {
    throw new SparkplugDecodeError("invalid-utf8");
  }
}

/**
 * Skips a field that this codec does not know.
 * @param knownFields field numbers up to this one are known: here they can only have the wrong wire type
 */
export function skipField(reader: WireReader, end: number, key: number, knownFields: number): void {
  const field = Math.floor(key / 8);
  if (field === 0) throw new SparkplugDecodeError("invalid-field");
  if (field <= knownFields) throw new SparkplugDecodeError("wrong-wire-type");
  const wireType = key % 8;
  if (wireType === 0) readInteger(reader, end);
  else if (wireType === 1) readDouble(reader, end);
  else if (wireType === 2) reader.position = readFieldEnd(reader, end);
  else if (wireType === 5) readFloat(reader, end);
  else throw new SparkplugDecodeError("wrong-wire-type");
}

export function countElement(reader: WireReader): void {
  if (++reader.elementCount > reader.limits.maxElements) throw new SparkplugDecodeError("too-many-elements");
}
