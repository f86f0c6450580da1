import { SparkplugDecodeError } from "./decode-error.ts";
import { interpretValue } from "./interpret.ts";
import type { MetaData, PropertySet, PropertyValue, ScalarValue } from "./payload.ts";
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

/** Keys and values of one set; nested sets are checked for depth and read as null. */
export function readPropertySet(reader: WireReader, end: number, depth: number): PropertySet {
  if (depth > reader.limits.maxDepth) throw new SparkplugDecodeError("too-deep");
  const keys: string[] = [];
  const values: PropertyValue[] = [];
  while (reader.position < end) {
    const key = readNumber(reader, end);
    if (key === 10) {
      countElement(reader);
      keys.push(readString(reader, end));
    } else if (key === 18) {
      countElement(reader);
      values.push(readPropertyValue(reader, readFieldEnd(reader, end), depth));
    } else skipField(reader, end, key, 2);
  }
  if (keys.length !== values.length) throw new SparkplugDecodeError("properties-shape");
  const set: PropertySet = new Map();
  for (let index = 0; index < keys.length; index++) set.set(keys[index]!, values[index]!);
  return set;
}

function readPropertyValue(reader: WireReader, end: number, depth: number): PropertyValue {
  let type = 0;
  let isNull = false;
  let value: ScalarValue = null;
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 8:
        type = readNumber(reader, end);
        break;
      case 16:
        isNull = readBoolean(reader, end);
        break;
      case 24:
      case 32:
        value = readInteger(reader, end);
        break;
      case 45:
        value = readFloat(reader, end);
        break;
      case 49:
        value = readDouble(reader, end);
        break;
      case 56:
        value = readBoolean(reader, end);
        break;
      case 66:
        value = readString(reader, end);
        break;
      case 74:
        readPropertySet(reader, readFieldEnd(reader, end), depth + 1);
        break;
      case 82:
        readPropertySetList(reader, readFieldEnd(reader, end), depth + 1);
        break;
      case 90: // an extension value
        reader.position = readFieldEnd(reader, end);
        break;
      default:
        skipField(reader, end, key, 11);
    }
  }
  const typed = interpretValue(value, type);
  return { type, value: isNull ? null : ((typed ?? value) as ScalarValue) };
}

function readPropertySetList(reader: WireReader, end: number, depth: number): void {
  while (reader.position < end) {
    const key = readNumber(reader, end);
    if (key === 10) readPropertySet(reader, readFieldEnd(reader, end), depth);
    else skipField(reader, end, key, 1);
  }
}

export function readMetaData(reader: WireReader, end: number): MetaData {
  const metadata: MetaData = {};
  while (reader.position < end) {
    const key = readNumber(reader, end);
    switch (key) {
      case 8:
        metadata.isMultiPart = readBoolean(reader, end);
        break;
      case 18:
        metadata.contentType = readString(reader, end);
        break;
      case 24:
        metadata.size = readNumber(reader, end);
        break;
      case 32:
        metadata.seq = readNumber(reader, end);
        break;
      case 42:
        metadata.fileName = readString(reader, end);
        break;
      case 50:
        metadata.fileType = readString(reader, end);
        break;
      case 58:
        metadata.md5 = readString(reader, end);
        break;
      case 66:
        metadata.description = readString(reader, end);
        break;
      default:
        skipField(reader, end, key, 8);
    }
  }
  return metadata;
}
