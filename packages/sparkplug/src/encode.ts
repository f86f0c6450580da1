import { DataType, isBytesType, isInt32FieldType, isInt64FieldType, isStringType } from "./datatypes.ts";
import { writeDataSet } from "./encode-dataset.ts";
import { writeMetaData, writePropertySet } from "./encode-properties.ts";
import type { DataSet, MetricInput, MetricValue, PayloadInput } from "./payload.ts";
import {
  createWireWriter,
  writeBytes,
  writeDouble,
  writeFloat,
  writeInt64,
  writeNested,
  writeString,
  writeUint,
  type WireWriter,
} from "./wire-writer.ts";

export interface EncodeOptions {
  /** Births contain the datatypes, DATA and CMD messages should leave them out. */
  omitDatatypes?: boolean;
}

/**
 * Encodes a Sparkplug B payload. Every metric with a value needs its datatype, also where it is left out on the wire.
 * UInt32 is refused: libraries disagree about its wire field, so it is never sent; Int64 holds the same numbers.
 * @throws TypeError that names the metric whose value cannot be encoded as its datatype
 */
export function encodePayload(payload: PayloadInput, options: EncodeOptions = {}): Uint8Array {
  const writer = createWireWriter(64 + payload.metrics.length * 32);
  if (payload.timestamp !== undefined) {
    writeUint(writer, 8);
    writeInt64(writer, payload.timestamp);
  }
  const write = options.omitDatatypes ? writeUntypedMetric : writeTypedMetric;
  for (const metric of payload.metrics) writeNested(writer, 18, metric, write);
  if (payload.seq !== undefined) {
    writeUint(writer, 24);
    writeUint(writer, payload.seq);
  }
  if (payload.uuid !== undefined) {
    writeUint(writer, 34);
    writeString(writer, payload.uuid);
  }
  if (payload.body !== undefined) {
    writeUint(writer, 42);
    writeBytes(writer, payload.body);
  }
  return writer.bytes.slice(0, writer.position);
}

function writeTypedMetric(writer: WireWriter, metric: MetricInput): void {
  writeMetric(writer, metric, true);
}

function writeUntypedMetric(writer: WireWriter, metric: MetricInput): void {
  writeMetric(writer, metric, false);
}

function writeMetric(writer: WireWriter, metric: MetricInput, hasDatatype: boolean): void {
  if (metric.name !== undefined) {
    writeUint(writer, 10);
    writeString(writer, metric.name);
  }
  if (metric.alias !== undefined) {
    writeUint(writer, 16);
    writeUint(writer, metric.alias);
  }
  if (metric.timestamp !== undefined) {
    writeUint(writer, 24);
    writeInt64(writer, metric.timestamp);
  }
  if (metric.datatype !== undefined && hasDatatype) {
    writeUint(writer, 32);
    writeUint(writer, metric.datatype);
  }
  if (metric.isHistorical) writeFlag(writer, 40);
  if (metric.isTransient) writeFlag(writer, 48);
  if (metric.metadata) writeNested(writer, 66, metric.metadata, writeMetaData);
  if (metric.properties) writeNested(writer, 74, metric.properties, writePropertySet);
  if (metric.isNull || metric.value === null || metric.value === undefined) writeFlag(writer, 56);
  else writeValue(writer, metric, metric.value);
}

function writeFlag(writer: WireWriter, key: number): void {
  writeUint(writer, key);
  writeUint(writer, 1);
}

function writeValue(writer: WireWriter, metric: MetricInput, value: NonNullable<MetricValue>): void {
  const { datatype = DataType.Unknown } = metric;
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (datatype === DataType.Float && typeof value === "number") {
    writeUint(writer, 101);
    writeFloat(writer, value);
  } else if (datatype === DataType.Double && typeof value === "number") {
    writeUint(writer, 105);
    writeDouble(writer, value);
  } else if (isInt32FieldType(datatype) && isWhole) {
    writeUint(writer, 80);
    writeUint(writer, Number(value) >>> 0);
  } else if (isInt64FieldType(datatype) && isWhole) {
    writeUint(writer, 88);
    writeInt64(writer, value);
  } else if (datatype === DataType.Boolean && typeof value === "boolean") {
    writeUint(writer, 112);
    writeUint(writer, value ? 1 : 0);
  } else if (isStringType(datatype) && typeof value === "string") {
    writeUint(writer, 122);
    writeString(writer, value);
  } else if (isBytesType(datatype) && value instanceof Uint8Array) {
    writeUint(writer, 130);
    writeBytes(writer, value);
  } else if (datatype === DataType.DataSet && isDataSet(value)) {
    writeNested(writer, 138, value, writeDataSet);
  } else {
    const what = datatype === DataType.UInt32 ? "UInt32 is never sent, use Int64" : `its value cannot be sent as datatype ${datatype}`;
    throw new TypeError(`Metric ${metric.name ?? metric.alias ?? "without a name"}: ${what}`);
  }
}

function isDataSet(value: MetricValue): value is DataSet {
  return typeof value === "object" && value !== null && "rows" in value;
}
