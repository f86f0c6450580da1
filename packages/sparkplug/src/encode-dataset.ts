import { DataType, isInt32FieldType, isInt64FieldType, isStringType } from "./datatypes.ts";
import type { DataSet, ScalarValue } from "./payload.ts";
import { writeDouble, writeFloat, writeInt64, writeNested, writeString, writeUint, type WireWriter } from "./wire-writer.ts";

interface Element {
  value: ScalarValue;
  type: number;
}

/** @throws TypeError when columns, types and rows do not fit each other or a value does not fit its column */
export function writeDataSet(writer: WireWriter, dataSet: DataSet): void {
  const width = dataSet.columns.length;
  if (dataSet.types.length !== width || dataSet.rows.some((row) => row.length !== width)) {
    throw new TypeError("A data set needs one type per column and one element per column in each row");
  }
  writeUint(writer, 8);
  writeUint(writer, width);
  for (const column of dataSet.columns) {
    writeUint(writer, 18);
    writeString(writer, column);
  }
  for (const type of dataSet.types) {
    writeUint(writer, 24);
    writeUint(writer, type);
  }
  for (const row of dataSet.rows) {
    const elements = row.map((value, index) => ({ value, type: dataSet.types[index]! }));
    writeNested(writer, 34, elements, writeRow);
  }
}

function writeRow(writer: WireWriter, elements: Element[]): void {
  for (const element of elements) writeNested(writer, 10, element, writeElement);
}

function writeElement(writer: WireWriter, { value, type }: Element): void {
  if (value === null) return;
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (isInt32FieldType(type) && isWhole) {
    writeUint(writer, 8);
    writeUint(writer, Number(value) >>> 0);
  } else if (isInt64FieldType(type) && isWhole) {
    writeUint(writer, 16);
    writeInt64(writer, value);
  } else if (type === DataType.Float && typeof value === "number") {
    writeUint(writer, 29);
    writeFloat(writer, value);
  } else if (type === DataType.Double && typeof value === "number") {
    writeUint(writer, 33);
    writeDouble(writer, value);
  } else if (type === DataType.Boolean && typeof value === "boolean") {
    writeUint(writer, 40);
    writeUint(writer, value ? 1 : 0);
  } else if (isStringType(type) && typeof value === "string") {
    writeUint(writer, 50);
    writeString(writer, value);
  } else throw new TypeError(`A data set element cannot be sent as datatype ${type}`);
}
