import sparkplugPayload from "sparkplug-payload";
import { describe, expect, test } from "vitest";
import { decodePayload } from "./decode.ts";
import { DataType } from "./datatypes.ts";
import { encodePayload } from "./encode.ts";

// An independent implementation. Where it is known to be wrong (negative Int64, integer data set columns, arrays, DATA without
// datatypes) it proves nothing and is not asked.
const other = sparkplugPayload.get("spBv1.0")!;
const now = Date.UTC(2026, 10, 21);

const samples = [
  { name: "Int8", type: "Int8", datatype: DataType.Int8, value: -100 },
  { name: "Int16", type: "Int16", datatype: DataType.Int16, value: -30_000 },
  { name: "Int32", type: "Int32", datatype: DataType.Int32, value: -2_000_000_000 },
  { name: "UInt8", type: "UInt8", datatype: DataType.UInt8, value: 250 },
  { name: "UInt16", type: "UInt16", datatype: DataType.UInt16, value: 65_000 },
  { name: "Float", type: "Float", datatype: DataType.Float, value: 1.5 },
  { name: "Double", type: "Double", datatype: DataType.Double, value: Math.PI },
  { name: "Boolean", type: "Boolean", datatype: DataType.Boolean, value: true },
  { name: "String", type: "String", datatype: DataType.String, value: "Größe 😀" },
  { name: "Text", type: "Text", datatype: DataType.Text, value: "text" },
  { name: "__proto__", type: "Float", datatype: DataType.Float, value: 2.5 },
] as const;

describe("sparkplug-payload", () => {
  test("reads what we encode", () => {
    const metrics = samples.map(({ name, datatype, value }, alias) => ({ name, datatype, value, alias, timestamp: now }));
    const read = other.decodePayload(encodePayload({ timestamp: now, seq: 7, metrics }));
    expect(Number(read.timestamp)).toBe(now);
    expect(Number(read.seq)).toBe(7);
    expect(read.metrics!.map(({ name, type, value }) => ({ name, type, value }))).toEqual(
      samples.map(({ name, type, value }) => ({ name, type, value })),
    );
    expect(read.metrics!.map(({ alias }) => Number(alias))).toEqual(samples.map((_, alias) => alias));
  });

  test("is read by us", () => {
    const metrics = samples.map(({ name, type, value }) => ({ name, type, value, timestamp: now }));
    const payload = decodePayload(other.encodePayload({ timestamp: now, seq: 255, metrics: [...metrics] }));
    expect(payload.timestamp).toBe(now);
    expect(payload.seq).toBe(255);
    expect(payload.metrics.map(({ name, datatype, value }) => ({ name, datatype, value }))).toEqual(
      samples.map(({ name, datatype, value }) => ({ name, datatype, value })),
    );
  });

  test("is read by us: 64-bit numbers, UInt32, null, data set, bytes, properties", () => {
    const bytes = other.encodePayload({
      timestamp: now,
      metrics: [
        { name: "u32", type: "UInt32", value: 4_000_000_000 },
        { name: "u64", type: "UInt64", value: 12_345_678_901 },
        { name: "when", type: "DateTime", value: now },
        { name: "nothing", type: "Float", value: null },
        { name: "bytes", type: "Bytes", value: Uint8Array.of(1, 2, 255) },
        {
          name: "set",
          type: "DataSet",
          value: {
            numOfColumns: 2,
            columns: ["a", "b"],
            types: ["String", "Double"],
            rows: [
              ["x", 0.5],
              ["y", 2.5],
            ],
          },
        },
        { name: "props", type: "Int32", value: 1, properties: { Quality: { type: "Int32", value: 500 } } },
      ],
    });
    const values = new Map(decodePayload(bytes).metrics.map((metric) => [metric.name, metric]));
    expect(values.get("u32")!.value).toBe(4_000_000_000);
    expect(values.get("u64")!.value).toBe(12_345_678_901);
    expect(values.get("when")!.value).toBe(now);
    expect(values.get("nothing")).toMatchObject({ isNull: true, value: null });
    expect([...(values.get("bytes")!.value as Uint8Array)]).toEqual([1, 2, 255]);
    expect(values.get("set")!.value).toEqual({
      columns: ["a", "b"],
      types: [DataType.String, DataType.Double],
      rows: [
        ["x", 0.5],
        ["y", 2.5],
      ],
    });
    expect(values.get("props")!.properties).toEqual(new Map([["Quality", { type: DataType.Int32, value: 500 }]]));
  });

  test("reads our absent seq as absent and our file metadata", () => {
    const file = encodePayload({
      timestamp: now,
      metrics: [
        {
          name: "Files/Data",
          datatype: DataType.File,
          value: Uint8Array.of(9, 8),
          metadata: {
            isMultiPart: true,
            seq: 2,
            size: 70_000,
            fileName: "f.txt",
            fileType: "txt",
            contentType: "application/gzip",
            md5: "00ff",
          },
        },
      ],
    });
    const read = other.decodePayload(file);
    expect(Object.hasOwn(read, "seq")).toBe(false);
    expect(read.metrics![0]!.metadata).toMatchObject({
      isMultiPart: true,
      fileName: "f.txt",
      contentType: "application/gzip",
      md5: "00ff",
    });
  });
});
