/** Sparkplug B 3.0 data types by their number on the wire. */
export const DataType = {
  Unknown: 0,
  Int8: 1,
  Int16: 2,
  Int32: 3,
  Int64: 4,
  UInt8: 5,
  UInt16: 6,
  UInt32: 7,
  UInt64: 8,
  Float: 9,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
  Text: 14,
  UUID: 15,
  DataSet: 16,
  Bytes: 17,
  File: 18,
  Template: 19,
  PropertySet: 20,
  PropertySetList: 21,
  Int8Array: 22,
  Int16Array: 23,
  Int32Array: 24,
  Int64Array: 25,
  UInt8Array: 26,
  UInt16Array: 27,
  UInt32Array: 28,
  UInt64Array: 29,
  FloatArray: 30,
  DoubleArray: 31,
  BooleanArray: 32,
  StringArray: 33,
  DateTimeArray: 34,
} as const;
export type DataType = (typeof DataType)[keyof typeof DataType];

/** Bytes, File and every array travel in `bytes_value`. */
export function isBytesType(datatype: number): boolean {
  return (
    datatype === DataType.Bytes || datatype === DataType.File || (datatype >= DataType.Int8Array && datatype <= DataType.DateTimeArray)
  );
}

export function isStringType(datatype: number): boolean {
  return datatype === DataType.String || datatype === DataType.Text || datatype === DataType.UUID;
}

/** Types of the field `int_value`: negative numbers as 32-bit two's complement. */
export function isInt32FieldType(datatype: number): boolean {
  return (
    datatype === DataType.Int8 ||
    datatype === DataType.Int16 ||
    datatype === DataType.Int32 ||
    datatype === DataType.UInt8 ||
    datatype === DataType.UInt16
  );
}

/** Types of the field `long_value`. */
export function isInt64FieldType(datatype: number): boolean {
  return datatype === DataType.Int64 || datatype === DataType.UInt64 || datatype === DataType.DateTime;
}
