import { describe, expect, test } from "vitest";
import { SparkplugDecodeError } from "./decode-error.ts";
import { decodePayload, defaultDecodeLimits } from "./decode.ts";
import { DataType } from "./datatypes.ts";
import { Quality } from "./encode-properties.ts";
import { encodePayload } from "./encode.ts";
import { interpretValue } from "./interpret.ts";
import type { MetricInput } from "./payload.ts";

const bytes = (hex: string) => Uint8Array.from(hex.split(" ").filter(Boolean), (byte) => Number.parseInt(byte, 16));
const reasonOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof SparkplugDecodeError) return error.reason;
    throw error;
  }
  return "none";
};
const property = (field: Uint8Array) => Uint8Array.from([...bytes("0a 01 61"), ...lengthPrefixed([0x12], field)]);
const inProperties = (fields: Uint8Array) => lengthPrefixed([0x12], lengthPrefixed([0x4a], fields));
/** Of one column of whole numbers, or of none. */
const inDataSet = (fields: Uint8Array, columns: 0 | 1 = 1) =>
  lengthPrefixed([0x12], lengthPrefixed([0x8a, 0x01], Uint8Array.from([...bytes(columns === 1 ? "08 01 12 01 61 18 03" : ""), ...fields])));
const metric = (input: MetricInput) => bytesOfMetric(encodePayload({ metrics: [input] }));
const bytesOfMetric = (payload: Uint8Array) => [...payload].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

describe("decode", () => {
  test("every field of payload and metric is where the schema puts it", () => {
    const payload = decodePayload(
      bytes("08 e8 07 12 13 0a 01 61 10 05 18 e9 07 20 09 28 01 30 01 65 00 00 20 41 18 ff 01 22 01 75 2a 02 01 02"),
    );
    expect(payload).toEqual({
      timestamp: 1000,
      seq: 255,
      uuid: "u",
      body: bytes("01 02"),
      metrics: [
        {
          name: "a",
          alias: 5,
          timestamp: 1001,
          datatype: DataType.Float,
          isHistorical: true,
          isTransient: true,
          isNull: false,
          value: 10,
          metadata: undefined,
          properties: undefined,
        },
      ],
    });
  });

  test("every field of a template is where the schema puts it; its parameters are passed by", () => {
    const payload = decodePayload(bytes("12 18 0a 01 74 20 13 92 01 10 0a 01 76 12 03 0a 01 6d 1a 01 00 22 01 72 28 01"));
    expect(payload.metrics[0]).toMatchObject({
      name: "t",
      value: { version: "v", templateRef: "r", isDefinition: true, metrics: [{ name: "m" }] },
    });
  });

  test("an absent seq is undefined, not 0", () => {
    expect(decodePayload(bytes("08 01")).seq).toBeUndefined();
    expect(decodePayload(bytes("18 00")).seq).toBe(0);
  });

  test("unknown fields of every wire type are skipped", () => {
    expect(decodePayload(bytes("78 01 79 00 00 00 00 00 00 00 00 7a 02 aa bb 7d 00 00 00 00 18 07")).seq).toBe(7);
  });

  test("UInt32 is read from int_value and from long_value", () => {
    for (const field of ["50", "58"]) {
      expect(decodePayload(bytes(`12 08 20 07 ${field} ff ff ff ff 0f`)).metrics[0]!.value).toBe(4_294_967_295);
    }
  });

  test.each([
    ["an empty varint", "08", "truncated"],
    ["a cut varint", "08 80", "truncated"],
    ["a varint of 11 bytes", "08 80 80 80 80 80 80 80 80 80 80 01", "varint-too-long"],
    ["a length beyond the buffer", "12 05 0a", "length-beyond-buffer"],
    ["a string beyond its metric", "12 03 0a 05 61 62 63 64 65", "length-beyond-buffer"],
    ["a cut float", "12 03 65 00 00", "truncated"],
    ["seq as a string", "1a 01 61", "wrong-wire-type"],
    ["a group", "7b 7c", "wrong-wire-type"],
    ["field number 0", "00 01", "invalid-field"],
    ["an overlong UTF-8 form", "12 04 0a 02 c0 80", "invalid-utf8"],
    ["a lone surrogate", "12 05 0a 03 ed a0 80", "invalid-utf8"],
    ["an alias beyond 2^53", "12 0b 10 ff ff ff ff ff ff ff 7f 18 01", "alias-too-large"],
    ["text as Int32", "12 05 20 03 7a 01 61", "value-outside-type"],
    ["a data set without types", "12 08 8a 01 05 08 01 12 01 61", "dataset-shape"],
    ["a property key without value", "12 05 4a 03 0a 01 61", "properties-shape"],
  ])("%s is refused", (_what, hex, reason) => {
    expect(reasonOf(() => decodePayload(bytes(hex)))).toBe(reason);
  });

  test("A-63 a value that is not of its datatype is refused for each of them, and left raw for those of later versions", () => {
    const texts: readonly number[] = [DataType.String, DataType.Text, DataType.UUID];
    const outcome = (datatype: number) => {
      const value = texts.includes(datatype) ? "70 01" : "7a 01 61";
      const metric = `20 ${datatype.toString(16).padStart(2, "0")} ${value}`;
      return reasonOf(() => decodePayload(bytes(`12 ${(metric.length + 1) / 3 < 16 ? `0${(metric.length + 1) / 3}` : ""} ${metric}`)));
    };
    const known = Object.values(DataType).filter((datatype) => datatype > 0);
    expect(known.filter((datatype) => outcome(datatype) !== "value-outside-type")).toEqual([]);
    expect([Math.max(...known), outcome(35), outcome(127)]).toEqual([34, "none", "none"]);
    // Of each number one, in the order of the specification (6.4.16).
    expect(Object.values(DataType)).toEqual(Array.from({ length: 35 }, (_, number) => number));
    expect(Quality).toEqual({ Bad: 0, Good: 192, Stale: 500 });
  });

  test("a 10-byte varint holds all 64 bits", () => {
    const value = decodePayload(bytes("12 0b 58 ff ff ff ff ff ff ff ff ff 01")).metrics[0]!.value;
    expect(value).toBe(2n ** 64n - 1n);
  });

  test.each<[name: string, known: number, around: (field: Uint8Array) => Uint8Array]>([
    ["a payload", 5, (field) => field],
    ["a metric", 19, (field) => lengthPrefixed([0x12], field)],
    ["metadata", 8, (field) => lengthPrefixed([0x12], lengthPrefixed([0x42], field))],
    ["properties", 2, (field) => inProperties(field)],
    ["a property", 11, (field) => inProperties(property(field))],
    ["a list of properties", 1, (field) => inProperties(property(lengthPrefixed([0x52], field)))],
    ["a data set", 4, (field) => inDataSet(field)],
    ["its row", 1, (field) => inDataSet(lengthPrefixed([0x22], field), 0)],
    ["its cell", 7, (field) => inDataSet(lengthPrefixed([0x22], lengthPrefixed([0x0a], field)))],
    ["a template", 5, (field) => lengthPrefixed([0x12], lengthPrefixed([0x92, 0x01], field))],
  ])("%s has %i fields: a known one of another wire type is refused, one more is passed by", (_, known, around) => {
    const floatOf = (field: number) => {
      const key = field * 8 + 5;
      return Uint8Array.from([...(key < 128 ? [key] : [(key % 128) + 128, Math.floor(key / 128)]), 0, 0, 0, 0]);
    };
    expect([known, known + 1].map((field) => reasonOf(() => decodePayload(around(floatOf(field)))))).toEqual(["wrong-wire-type", "none"]);
  });

  test("limits: metrics, string length, nesting", () => {
    const few = { ...defaultDecodeLimits, maxMetrics: 3, maxStringBytes: 3 };
    const reasonsOf = (inputs: MetricInput[][]) => inputs.map((metrics) => reasonOf(() => decodePayload(encodePayload({ metrics }), few)));
    expect(reasonsOf([2, 3, 4].map((length) => Array.from({ length }, () => ({ alias: 1 }))))).toEqual([
      "none",
      "none",
      "too-many-metrics",
    ]);
    expect(reasonsOf(["ab", "abc", "abcd"].map((name) => [{ name }]))).toEqual(["none", "none", "string-too-long"]);
    const many = encodePayload({ metrics: Array.from({ length: 5_001 }, () => ({ alias: 1 })) });
    expect(reasonOf(() => decodePayload(many))).toBe("too-many-metrics");
    const long = encodePayload({ metrics: [{ name: "n".repeat(65_537) }] });
    expect(reasonOf(() => decodePayload(long))).toBe("string-too-long");
    expect(decodePayload(long, { ...defaultDecodeLimits, maxStringBytes: 70_000 }).metrics[0]!.name).toHaveLength(65_537);
    const cells = (count: number) =>
      encodePayload({
        metrics: [
          {
            datatype: DataType.DataSet,
            value: { columns: ["a"], types: [DataType.Int32], rows: Array.from({ length: count }, () => [1]) },
          },
        ],
      });
    // Column, type, and a row and a cell for each row.
    const limits = { ...defaultDecodeLimits, maxElements: 42 };
    expect(reasonOf(() => decodePayload(cells(20), limits))).toBe("none");
    expect(reasonOf(() => decodePayload(cells(21), limits))).toBe("too-many-elements");
    const empty = (width: number) =>
      encodePayload({
        metrics: [
          {
            datatype: DataType.DataSet,
            value: {
              columns: Array.from({ length: width }, (_, index) => `c${index}`),
              types: Array.from({ length: width }, () => DataType.Int32),
              rows: [],
            },
          },
        ],
      });
    expect(reasonOf(() => decodePayload(empty(21), limits))).toBe("none");
    expect(reasonOf(() => decodePayload(empty(22), limits))).toBe("too-many-elements");
    let nested: Uint8Array = new Uint8Array();
    for (let depth = 0; depth < 1_000; depth++) nested = lengthPrefixed([0x12], lengthPrefixed([0x92, 0x01], nested));
    expect(reasonOf(() => decodePayload(nested))).toBe("too-deep");
    // Templates within templates: so many as the limit says.
    const deep = (depth: number): Uint8Array =>
      depth === 0 ? new Uint8Array() : lengthPrefixed([0x12], lengthPrefixed([0x92, 0x01], deep(depth - 1)));
    expect([2, 3, 4, 5].map((depth) => reasonOf(() => decodePayload(deep(depth), { ...defaultDecodeLimits, maxDepth: 3 })))).toEqual([
      "none",
      "none",
      "too-deep",
      "too-deep",
    ]);
    // Property sets within property sets, and in lists of them.
    for (const wrap of [
      (set: Uint8Array) => lengthPrefixed([0x4a], set),
      (set: Uint8Array) => lengthPrefixed([0x52], lengthPrefixed([0x0a], set)),
    ]) {
      let set: Uint8Array = new Uint8Array();
      for (let depth = 0; depth < 1_000; depth++) set = lengthPrefixed([0x12], wrap(set));
      expect(reasonOf(() => decodePayload(lengthPrefixed([0x12], lengthPrefixed([0x4a], set))))).toBe("too-deep");
    }
  });
});

test("a property has the sign of its type, and one of a type that is not known is left raw", () => {
  const valueOf = (fields: string) => {
    const payload = decodePayload(inProperties(Uint8Array.from([...bytes("0a 01 61"), ...lengthPrefixed([0x12], bytes(fields))])));
    return payload.metrics[0]!.properties!.get("a");
  };
  expect(valueOf("08 03 18 ff ff ff ff 0f")).toEqual({ type: DataType.Int32, value: -1 });
  expect(valueOf("08 7f 18 07")).toEqual({ type: 127, value: 7 });
  expect(valueOf("08 03 10 01 18 07")).toEqual({ type: DataType.Int32, value: null });
});

describe("encode", () => {
  test("negative integers are two's complement: 32 bits in int_value, 64 in long_value", () => {
    expect(metric({ datatype: DataType.Int32, value: -5 })).toBe("12 08 20 03 50 fb ff ff ff 0f");
    expect(metric({ datatype: DataType.Int64, value: -5 })).toBe("12 0d 20 04 58 fb ff ff ff ff ff ff ff ff 01");
  });

  test("a metric of 128 bytes and more gets a longer length", () => {
    for (const length of [100, 124, 125, 126, 127, 128, 16_380, 16_384, 60_000]) {
      const name = "x".repeat(length);
      expect(decodePayload(encodePayload({ metrics: [{ name }, { name: "y" }] })).metrics.map((one) => one.name)).toEqual([name, "y"]);
    }
  });

  test("UInt32 and values that do not fit are refused by name", () => {
    expect(() => encodePayload({ metrics: [{ name: "a/b", datatype: DataType.UInt32, value: 1 }] })).toThrow("a/b: UInt32 is never sent");
    expect(() => encodePayload({ metrics: [{ name: "c", datatype: DataType.Int32, value: "1" }] })).toThrow(/^Metric c/);
    expect(() => encodePayload({ metrics: [{ name: "d", value: 1 }] })).toThrow(/^Metric d/);
  });

  test("a data set element that is not of its column's type is refused", () => {
    const cell = (type: number, value: string | number | boolean) => () =>
      encodePayload({ metrics: [{ name: "set", datatype: DataType.DataSet, value: { columns: ["a"], types: [type], rows: [[value]] } }] });
    for (const [type, value] of [
      [DataType.Int32, 1.5],
      [DataType.Int64, 1.5],
      [DataType.Int32, "1"],
      [DataType.Boolean, 1],
      [DataType.String, 1],
    ] as const)
      expect(cell(type, value)).toThrow(`A data set element cannot be sent as datatype ${type}`);
    for (const [type, value] of [
      [DataType.Int32, -1],
      [DataType.Float, 1.5],
      [DataType.Boolean, true],
    ] as const)
      expect(decodePayload(cell(type, value)()).metrics[0]!.value).toMatchObject({ rows: [[value]] });
  });

  test("ten Float metrics by alias are 169 bytes", () => {
    const now = Date.UTC(2026, 0, 1);
    const metrics = Array.from({ length: 10 }, (_, index) => ({ alias: index + 1, timestamp: now, datatype: DataType.Float, value: 1.5 }));
    expect(encodePayload({ timestamp: now, seq: 1, metrics }, { omitDatatypes: true })).toHaveLength(169);
  });
});

describe("interpretValue gives DATA values the type of the birth", () => {
  test.each([
    ["Int8", DataType.Int8, 0xfffffffb, -5],
    ["Int8 of one byte", DataType.Int8, 0xfb, -5],
    ["Int16", DataType.Int16, 0xfffffffb, -5],
    ["Int32", DataType.Int32, 0xfffffffb, -5],
    ["Int32 in long_value", DataType.Int32, 2n ** 64n - 5n, -5],
    ["Int64", DataType.Int64, 2n ** 64n - 5n, -5],
    ["Int64 at its lowest", DataType.Int64, 2n ** 63n, -(2n ** 63n)],
    ["UInt64 beyond 2^53", DataType.UInt64, 2n ** 63n, 2n ** 63n],
    ["UInt8", DataType.UInt8, 200, 200],
    ["UInt32", DataType.UInt32, 4_294_967_295, 4_294_967_295],
    ["Boolean from an integer", DataType.Boolean, 1, true],
    ["DateTime", DataType.DateTime, 1_767_225_600_000, 1_767_225_600_000],
    ["a typed negative again", DataType.Int32, -5, -5],
    ["null", DataType.Float, null, null],
    ["text as number", DataType.Float, "1", undefined],
    ["a fraction as integer", DataType.Int32, 1.5, undefined],
    ["2 as Boolean", DataType.Boolean, 2, undefined],
    ["datatype 99", 99, 1, undefined],
  ])("%s", (_what, datatype, raw, expected) => {
    expect(interpretValue(raw, datatype)).toEqual(expected);
  });
});

function lengthPrefixed(key: number[], body: Uint8Array): Uint8Array {
  const length: number[] = [];
  let rest = body.length;
  for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...key, ...length, rest, ...body]);
}
