import { DataType, isBytesType, isStringType } from "./datatypes.ts";
import type { MetricValue } from "./payload.ts";

/**
 * Gives a value the type that the birth declared. A DATA message omits the datatype, so its integers arrive as unsigned bits of the wire
 * field; values that already have the type come back unchanged.
 * @returns undefined when the value cannot be of this type, or the type is unknown
 */
export function interpretValue(value: MetricValue, datatype: number): MetricValue | undefined {
  if (value === null) return null;
  if (typeof value === "number") return interpretNumber(value, datatype);
  if (typeof value === "bigint") return interpretBigint(value, datatype);
  if (typeof value === "boolean") return datatype === DataType.Boolean || datatype === DataType.Unknown ? value : undefined;
  if (typeof value === "string") return isStringType(datatype) || datatype === DataType.Unknown ? value : undefined;
  if (value instanceof Uint8Array) return isBytesType(datatype) || datatype === DataType.Unknown ? value : undefined;
  const isDataSet = "rows" in value;
  return datatype === (isDataSet ? DataType.DataSet : DataType.Template) || datatype === DataType.Unknown ? value : undefined;
}

function interpretNumber(value: number, datatype: number): number | boolean | undefined {
  if (datatype === DataType.Float || datatype === DataType.Double || datatype === DataType.Unknown) return value;
  if (!Number.isInteger(value)) return undefined;
  switch (datatype) {
    case DataType.Int8:
      return (value << 24) >> 24;
    case DataType.Int16:
      return (value << 16) >> 16;
    case DataType.Int32:
      return value | 0;
    case DataType.UInt8:
      return value & 0xff;
    case DataType.UInt16:
      return value & 0xffff;
    // The ecosystem disagrees about the field of UInt32; both arrive here.
    case DataType.UInt32:
      return value >>> 0;
    case DataType.Int64:
    case DataType.UInt64:
    case DataType.DateTime:
      return value;
    case DataType.Boolean:
      return value === 0 || value === 1 ? value === 1 : undefined;
    default:
      return undefined;
  }
}

function interpretBigint(value: bigint, datatype: number): number | bigint | undefined {
  switch (datatype) {
    case DataType.Int8:
    case DataType.Int16:
    case DataType.Int32:
    case DataType.UInt8:
    case DataType.UInt16:
    case DataType.UInt32:
      return interpretNumber(Number(BigInt.asIntN(32, value)), datatype) as number;
    case DataType.Int64:
      return narrow(BigInt.asIntN(64, value));
    case DataType.UInt64:
    case DataType.DateTime:
    case DataType.Unknown:
      return narrow(value);
    default:
      return undefined;
  }
}

function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
