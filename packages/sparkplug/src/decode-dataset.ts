import { SparkplugDecodeError } from "./decode-error.ts";
import { interpretValue } from "./interpret.ts";
import type { DataSet, ScalarValue } from "./payload.ts";
import {
  countElement,
  readBoolean,
  readDouble,
  readFieldEnd,
  readFloat,
  readInteger,
  readNumber,
  readString,
  skipField,
  type WireReader,
} from "./wire-reader.ts";

export function readDataSet(reader: WireReader, end: number): DataSet {
  const columns: string[] = [];
  const types: number[] = [];
  const rows: ScalarValue[][] = [];
  let columnCount: number | undefined;
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 8:
        columnCount = readNumber(reader, end);
        break;
      case 18:
        countElement(reader);
        columns.push(readString(reader, end));
        break;
      case 24:
        countElement(reader);
        types.push(readNumber(reader, end));
        break;
      case 26: {
        // the packed form of the same field
        const packedEnd = readFieldEnd(reader, end);
        while (reader.position < packedEnd) {
          countElement(reader);
          types.push(readNumber(reader, packedEnd));
        }
        break;
      }
      case 34:
        countElement(reader);
        rows.push(readRow(reader, readFieldEnd(reader, end)));
        break;
      default:
        skipField(reader, end, key, 4);
    }
  }
  const hasCount = columnCount === undefined || columnCount === columns.length;
  if (!hasCount || types.length !== columns.length || rows.some((row) => row.length !== columns.length)) {
    throw new SparkplugDecodeError("dataset-shape");
  }
  for (const row of rows) typeRow(row, types);
  return { columns, types, rows };
}

function readRow(reader: WireReader, end: number): ScalarValue[] {
  const row: ScalarValue[] = [];
  while (reader.position < end) {
    const key = readNumber(reader, end);
    if (key === 10) {
      countElement(reader);
      row.push(readElement(reader, readFieldEnd(reader, end)));
    } else skipField(reader, end, key, 1);
  }
  return row;
}

function readElement(reader: WireReader, end: number): ScalarValue {
  let value: ScalarValue = null;
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 8:
      case 16:
        value = readInteger(reader, end);
        break;
      case 29:
        value = readFloat(reader, end);
        break;
      case 33:
        value = readDouble(reader, end);
        break;
      case 40:
        value = readBoolean(reader, end);
        break;
      case 50:
        value = readString(reader, end);
        break;
      case 58: // an extension value
        reader.position = readFieldEnd(reader, end);
        break;
      default:
        skipField(reader, end, key, 7);
    }
  }
  return value;
}

function typeRow(row: ScalarValue[], types: number[]): void {
  for (let index = 0; index < row.length; index++) {
    const typed = interpretValue(row[index]!, types[index]!);
    if (typed === undefined) throw new SparkplugDecodeError("value-outside-type");
    row[index] = typed as ScalarValue;
  }
}
