import { DataType } from "./datatypes.ts";

export interface NdataTemplateMetric {
  alias: number;
  datatype: typeof DataType.Float | typeof DataType.Int32;
}

export interface NdataTemplate {
  /** The encoded payload as last patched; its length never changes. Copy it (`target.set(bytes, at)`) before the next patch. */
  readonly bytes: Uint8Array;
  /**
   * Puts new values into the payload, without allocating.
   * @param acquiredAtMs timestamp of every metric, epoch milliseconds (1970 to 2109)
   * @param publishedAtMs timestamp of the payload
   * @param values one per metric, in the order of the template
   */
  patch(seq: number, acquiredAtMs: number, publishedAtMs: number, values: ArrayLike<number>, isHistorical?: boolean): void;
}

const timestampBytes = 6;
const int32Bytes = 5;

/** An NDATA of Float and Int32 metrics that is encoded once and patched for each message: for senders of millions. */
export function createNdataTemplate(metrics: readonly NdataTemplateMetric[]): NdataTemplate {
  // Varints are padded to a fixed width, which protobuf allows, so that every field keeps its place.
  const out: number[] = [8, ...zeros(timestampBytes)];
  const places = metrics.map(({ alias, datatype }) => {
    const aliasBytes = varint(alias);
    const valueBytes = datatype === DataType.Float ? 4 : int32Bytes;
    const length = 1 + aliasBytes.length + 1 + timestampBytes + 2 + 1 + valueBytes;
    out.push(18, length, 16, ...aliasBytes, 24);
    const timestampAt = out.length;
    out.push(...zeros(timestampBytes), 40);
    const historicalAt = out.length;
    out.push(0, datatype === DataType.Float ? 101 : 80);
    const valueAt = out.length;
    out.push(...zeros(valueBytes));
    return { isFloat: datatype === DataType.Float, timestampAt, historicalAt, valueAt };
  });
  out.push(24, 0, 0);
  const bytes = Uint8Array.from(out);
  const view = new DataView(bytes.buffer);
  const seqAt = bytes.length - 2;

  return {
    bytes,
    patch(seq, acquiredAtMs, publishedAtMs, values, isHistorical = false) {
      putVarint(bytes, 1, publishedAtMs, timestampBytes);
      for (let index = 0; index < places.length; index++) {
        const place = places[index]!;
        putVarint(bytes, place.timestampAt, acquiredAtMs, timestampBytes);
        bytes[place.historicalAt] = isHistorical ? 1 : 0;
        if (place.isFloat) view.setFloat32(place.valueAt, values[index]!, true);
        else putVarint(bytes, place.valueAt, values[index]! >>> 0, int32Bytes);
      }
      putVarint(bytes, seqAt, seq, 2);
    },
  };
}

const zeros = (count: number) => Array.from({ length: count }, () => 0);

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}

function putVarint(bytes: Uint8Array, at: number, value: number, width: number): void {
  for (let index = 0; index < width - 1; index++) {
    bytes[at + index] = (value % 0x80) | 0x80;
    value = Math.floor(value / 0x80);
  }
  bytes[at + width - 1] = value;
}
