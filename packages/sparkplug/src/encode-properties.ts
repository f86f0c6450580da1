import { DataType, isInt32FieldType, isInt64FieldType, isStringType } from "./datatypes.ts";
import type { MetaData, PropertySet, PropertyValue } from "./payload.ts";
import { writeDouble, writeFloat, writeInt64, writeNested, writeString, writeUint, type WireWriter } from "./wire-writer.ts";

/** Qualities of the standard property `Quality`; absent means good. */
export const Quality = { Bad: 0, Good: 192, Stale: 500 } as const;

/** @throws TypeError for a value that does not fit its type */
export function writePropertySet(writer: WireWriter, properties: PropertySet): void {
  for (const key of properties.keys()) {
    writeUint(writer, 10);
    writeString(writer, key);
  }
  for (const value of properties.values()) writeNested(writer, 18, value, writePropertyValue);
}

function writePropertyValue(writer: WireWriter, { type, value }: PropertyValue): void {
  writeUint(writer, 8);
  writeUint(writer, type);
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (value === null) {
    writeUint(writer, 16);
    writeUint(writer, 1);
  } else if (isInt32FieldType(type) && isWhole) {
    writeUint(writer, 24);
    writeUint(writer, Number(value) >>> 0);
  } else if (isInt64FieldType(type) && isWhole) {
    writeUint(writer, 32);
    writeInt64(writer, value);
  } else if (type === DataType.Float && typeof value === "number") {
    writeUint(writer, 45);
    writeFloat(writer, value);
  } else if (type === DataType.Double && typeof value === "number") {
    writeUint(writer, 49);
    writeDouble(writer, value);
  } else if (type === DataType.Boolean && typeof value === "boolean") {
    writeUint(writer, 56);
    writeUint(writer, value ? 1 : 0);
  } else if (isStringType(type) && typeof value === "string") {
    writeUint(writer, 66);
    writeString(writer, value);
  } else throw new TypeError(`A property cannot be sent as datatype ${type}`);
}

export function writeMetaData(writer: WireWriter, metadata: MetaData): void {
  if (metadata.isMultiPart !== undefined) {
    writeUint(writer, 8);
    writeUint(writer, metadata.isMultiPart ? 1 : 0);
  }
  writeOptionalString(writer, 18, metadata.contentType);
  if (metadata.size !== undefined) {
    writeUint(writer, 24);
    writeUint(writer, metadata.size);
  }
  if (metadata.seq !== undefined) {
    writeUint(writer, 32);
    writeUint(writer, metadata.seq);
  }
  writeOptionalString(writer, 42, metadata.fileName);
  writeOptionalString(writer, 50, metadata.fileType);
  writeOptionalString(writer, 58, metadata.md5);
  writeOptionalString(writer, 66, metadata.description);
}

function writeOptionalString(writer: WireWriter, key: number, text: string | undefined): void {
  if (text === undefined) return;
  writeUint(writer, key);
  writeString(writer, text);
}
