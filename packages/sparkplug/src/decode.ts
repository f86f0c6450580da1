import { SparkplugDecodeError } from "./decode-error.ts";
import { readDataSet } from "./decode-dataset.ts";
import { readMetaData, readPropertySet } from "./decode-properties.ts";
import { DataType } from "./datatypes.ts";
import { interpretValue } from "./interpret.ts";
import type { Metric, Payload, Template } from "./payload.ts";
import {
  createWireReader,
  readBoolean,
  readBytes,
  readDouble,
  readFieldEnd,
  readFloat,
  readInteger,
  readNumber,
  readString,
  skipField,
  type DecodeLimits,
  type WireReader,
} from "./wire-reader.ts";

export type { DecodeLimits } from "./wire-reader.ts";

export const defaultDecodeLimits: DecodeLimits = { maxMetrics: 5_000, maxDepth: 8, maxStringBytes: 65_536, maxElements: 20_000 };

/**
 * Decodes a Sparkplug B payload (protobuf schema of Sparkplug 3.0, chapter 6). Unknown fields are skipped. A metric that carries its
 * datatype has a value of that type; else the value is as the wire field gives it, and `interpretValue` makes it the birth's type.
 * Byte values are views into `bytes`.
 * @throws SparkplugDecodeError and nothing else, whatever the bytes are
 */
export function decodePayload(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): Payload {
  const reader = createWireReader(bytes, limits);
  const payload: Payload = { timestamp: undefined, seq: undefined, metrics: [], uuid: undefined, body: undefined };
  const end = bytes.length;
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 8:
        payload.timestamp = readNumber(reader, end);
        break;
      case 18:
        payload.metrics.push(readMetric(reader, readFieldEnd(reader, end), 0));
        break;
      case 24:
        payload.seq = readNumber(reader, end);
        break;
      case 34:
        payload.uuid = readString(reader, end);
        break;
      case 42:
        payload.body = readBytes(reader, end);
        break;
      default:
        skipField(reader, end, key, 5);
    }
  }
  return payload;
}

function readMetric(reader: WireReader, end: number, depth: number): Metric {
  if (++reader.metricCount > reader.limits.maxMetrics) throw new SparkplugDecodeError("too-many-metrics");
  // Always the same shape: consumers stay monomorphic.
  const metric: Metric = {
    name: undefined,
    alias: undefined,
    timestamp: undefined,
    datatype: undefined,
    isHistorical: false,
    isTransient: false,
    isNull: false,
    value: null,
    metadata: undefined,
    properties: undefined,
  };
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 10:
        metric.name = readString(reader, end);
        break;
      case 16:
        metric.alias = readNumber(reader, end);
        break;
      case 24:
        metric.timestamp = readNumber(reader, end);
        break;
      case 32:
        metric.datatype = readNumber(reader, end);
        break;
      case 101:
        metric.value = readFloat(reader, end);
        break;
      case 80:
      case 88:
        metric.value = readInteger(reader, end);
        break;
      case 105:
        metric.value = readDouble(reader, end);
        break;
      case 112:
        metric.value = readBoolean(reader, end);
        break;
      case 122:
        metric.value = readString(reader, end);
        break;
      case 40:
        metric.isHistorical = readBoolean(reader, end);
        break;
      case 48:
        metric.isTransient = readBoolean(reader, end);
        break;
      case 56:
        metric.isNull = readBoolean(reader, end);
        break;
      default:
        readRareField(reader, end, depth, key, metric);
    }
  }
  if (metric.alias !== undefined && metric.alias > Number.MAX_SAFE_INTEGER) throw new SparkplugDecodeError("alias-too-large");
  if (metric.isNull) metric.value = null;
  else if (metric.datatype !== undefined && metric.value !== null) {
    // A datatype that we do not know leaves the value raw: who uses it decides.
    const typed = interpretValue(metric.value, metric.datatype);
    if (typed !== undefined) metric.value = typed;
    else if (metric.datatype <= DataType.DateTimeArray) throw new SparkplugDecodeError("value-outside-type");
  }
  return metric;
}

function readRareField(reader: WireReader, end: number, depth: number, key: number, metric: Metric): void {
  switch (key) {
    case 66:
      metric.metadata = readMetaData(reader, readFieldEnd(reader, end));
      break;
    case 74:
      metric.properties = readPropertySet(reader, readFieldEnd(reader, end), depth);
      break;
    case 130:
      metric.value = readBytes(reader, end);
      break;
    case 138:
      metric.value = readDataSet(reader, readFieldEnd(reader, end));
      break;
    case 146:
      metric.value = readTemplate(reader, readFieldEnd(reader, end), depth + 1);
      break;
    case 154: // an extension value: nothing that we could read
      reader.position = readFieldEnd(reader, end);
      break;
    default:
      skipField(reader, end, key, 19);
  }
}

function readTemplate(reader: WireReader, end: number, depth: number): Template {
  if (depth > reader.limits.maxDepth) throw new SparkplugDecodeError("too-deep");
  const template: Template = { isDefinition: false, metrics: [] };
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 10:
        template.version = readString(reader, end);
        break;
      case 18:
        template.metrics.push(readMetric(reader, readFieldEnd(reader, end), depth));
        break;
      case 26: // parameters
        reader.position = readFieldEnd(reader, end);
        break;
      case 34:
        template.templateRef = readString(reader, end);
        break;
      case 40:
        template.isDefinition = readBoolean(reader, end);
        break;
      default:
        skipField(reader, end, key, 5);
    }
  }
  return template;
}
