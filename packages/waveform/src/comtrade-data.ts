import { decodeText } from "./decode-text.ts";
import type { ComtradeConfig } from "./comtrade-config.ts";
import { WaveformError } from "./waveform.ts";

/** Data (DAT) of a COMTRADE record as stored: `stamps` in the record's own time units, `raw` not yet scaled; NaN where missing. */
export interface ComtradeData {
  stamps: Float64Array;
  raw: Float64Array[];
  digitals: Uint8Array[];
  /** Rows beyond those that the configuration announces. */
  extraRows: number;
}

/** @throws WaveformError when rows are missing, cut off, or hold what is no number */
export function parseComtradeData(bytes: Uint8Array, config: ComtradeConfig): ComtradeData {
  return config.dataFormat === "ASCII" ? parseAscii(bytes, config) : parseBinary(bytes, config);
}

function emptyData(config: ComtradeConfig): ComtradeData {
  const { sampleCount: length, analogs, digitals } = config;
  return {
    stamps: new Float64Array(length),
    raw: analogs.map(() => new Float64Array(length)),
    digitals: digitals.map(() => new Uint8Array(length)),
    extraRows: 0,
  };
}

const missingAscii = 99_999;

function parseAscii(bytes: Uint8Array, config: ComtradeConfig): ComtradeData {
  const text = decodeText(bytes);
  const rowCount = countRows(text);
  refuseTooFew(rowCount, config);
  const data = emptyData(config);
  const width = 2 + config.analogs.length + config.digitals.length;
  const rows = rowsOf(text);
  for (let index = 0; index < config.sampleCount; index++) {
    const fields = (rows.next().value ?? "").split(",", width);
    if (fields.length < width) throw new WaveformError(`DAT row ${index + 1}: ${fields.length} of ${width} values`);
    data.stamps[index] = asciiNumber(fields[1], index) ?? Number.NaN;
    data.raw.forEach((values, channel) => {
      const value = asciiNumber(fields[2 + channel], index);
      values[index] = value === undefined || value === missingAscii ? Number.NaN : value;
    });
    data.digitals.forEach((values, channel) => {
      values[index] = asciiNumber(fields[2 + config.analogs.length + channel], index) === 1 ? 1 : 0;
    });
  }
  data.extraRows = rowCount - config.sampleCount;
  return data;
}

const lineEnd = /[\r\n]+/g;

/** Lines that are not blank, one at a time: a list of all lines of a large file would be larger than the file. */
function* rowsOf(text: string): Generator<string, undefined> {
  const end = new RegExp(lineEnd);
  let start = 0;
  while (start < text.length) {
    end.lastIndex = start;
    const match = end.exec(text);
    const line = text.slice(start, match?.index ?? text.length);
    start = match ? end.lastIndex : text.length;
    if (line.trim() !== "") yield line;
  }
  return undefined;
}

function countRows(text: string): number {
  let count = 0;
  for (const _row of rowsOf(text)) count++;
  return count;
}

function asciiNumber(text: string | undefined, index: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return undefined;
  const value = Number(trimmed);
  if (!Number.isFinite(value)) throw new WaveformError(`DAT row ${index + 1}: "${trimmed.slice(0, 40)}" is no number`);
  return value;
}

const analogBytes = { BINARY: 2, BINARY32: 4, FLOAT32: 4 } as const;
const missingStamp = 0xffffffff;
/** -3.4028234663852886e38, bytes FF7FFFFFh */
const missingFloat = -3.4028234663852886e38;

function parseBinary(bytes: Uint8Array, config: ComtradeConfig): ComtradeData {
  const format = config.dataFormat as keyof typeof analogBytes;
  const digitalAt = 8 + analogBytes[format] * config.analogs.length;
  const rowBytes = digitalAt + 2 * Math.ceil(config.digitals.length / 16);
  const rowCount = Math.floor(bytes.length / rowBytes);
  refuseTooFew(rowCount, config);
  refuseRest(bytes.subarray(rowCount * rowBytes), rowBytes);
  const data = emptyData(config);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readAnalog = analogReader(view, format, config.revision);
  for (let index = 0; index < config.sampleCount; index++) {
    const at = index * rowBytes;
    const stamp = view.getUint32(at + 4, true);
    data.stamps[index] = stamp === missingStamp ? Number.NaN : stamp;
    data.raw.forEach((values, channel) => {
      values[index] = readAnalog(at + 8 + channel * analogBytes[format]);
    });
    data.digitals.forEach((values, channel) => {
      const word = view.getUint16(at + digitalAt + 2 * (channel >> 4), true);
      values[index] = (word >> (channel & 15)) & 1;
    });
  }
  data.extraRows = rowCount - config.sampleCount;
  return data;
}

// Some recorders end a file with line ends, zeros or 1Ah.
const fillBytes = new Set([0x00, 0x0a, 0x0d, 0x1a, 0x20]);

/** Bytes that make no whole row: the rows before them may have slipped. */
function refuseRest(rest: Uint8Array, rowBytes: number): void {
  if (rest.some((byte) => !fillBytes.has(byte))) {
    throw new WaveformError(`DAT: bytes after the last row: ${rest.length}, a row has ${rowBytes}`);
  }
}

function analogReader(view: DataView, format: keyof typeof analogBytes, revision: string): (at: number) => number {
  const orMissing = (value: number, missing: number) => (value === missing ? Number.NaN : value);
  switch (format) {
    case "BINARY":
      // FFFFh in the edition of 1991, 8000h since
      return (at) => orMissing(view.getInt16(at, true), revision === "1991" ? -1 : -0x8000);
    case "BINARY32":
      return (at) => orMissing(view.getInt32(at, true), -0x80000000);
    case "FLOAT32":
      return (at) => {
        const value = view.getFloat32(at, true);
        return value === missingFloat || !Number.isFinite(value) ? Number.NaN : value;
      };
  }
}

function refuseTooFew(rows: number, { sampleCount }: ComtradeConfig): void {
  if (rows < sampleCount) throw new WaveformError(`DAT: ${rows} of ${sampleCount} rows`);
}
