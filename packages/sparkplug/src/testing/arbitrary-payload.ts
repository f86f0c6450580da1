import * as fc from "fast-check";
import { DataType } from "../datatypes.ts";
import type { DataSet, MetaData, Metric, Payload, PropertySet } from "../payload.ts";

const hostileStrings = ["__proto__", "constructor", "hasOwnProperty", "a\u0000b", "\u202Egnp.exe", "\u001B[31m", "", "é😀"];
const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom(...hostileStrings));
const float32 = fc.float({ noDefaultInfinity: false });
const timestamp = fc.maxSafeNat();

const int64 = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
);
const uint64 = fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }));

/** Values of every type that is sent, with the type. */
const basicValue = fc.oneof(
  typed(DataType.Int8, fc.integer({ min: -128, max: 127 })),
  typed(DataType.Int16, fc.integer({ min: -32_768, max: 32_767 })),
  typed(DataType.Int32, fc.integer()),
  typed(DataType.Int64, int64),
  typed(DataType.UInt8, fc.integer({ min: 0, max: 255 })),
  typed(DataType.UInt16, fc.integer({ min: 0, max: 65_535 })),
  typed(DataType.UInt64, uint64),
  typed(DataType.Float, float32),
  typed(DataType.Double, fc.double()),
  typed(DataType.Boolean, fc.boolean()),
  typed(DataType.String, text),
  typed(DataType.DateTime, timestamp),
  typed(DataType.Text, text),
  typed(DataType.UUID, fc.uuid()),
);

function typed<T>(datatype: number, value: fc.Arbitrary<T>) {
  return value.map((one) => ({ datatype, value: one }));
}

const dataSet: fc.Arbitrary<DataSet> = fc.array(fc.tuple(text, basicValue), { minLength: 1, maxLength: 4 }).chain((columns) =>
  fc.nat({ max: 3 }).map((rowCount) => ({
    columns: columns.map(([name]) => name),
    types: columns.map(([, { datatype }]) => datatype),
    rows: Array.from({ length: rowCount }, () => columns.map(([, { value }]) => value)),
  })),
);

const properties: fc.Arbitrary<PropertySet> = fc
  .array(fc.tuple(text, basicValue), { maxLength: 4 })
  .map((entries) => new Map(entries.map(([key, { datatype, value }]) => [key, { type: datatype, value }])));

const metadata: fc.Arbitrary<MetaData> = fc.record(
  {
    isMultiPart: fc.boolean(),
    contentType: text,
    size: timestamp,
    seq: fc.nat(),
    fileName: text,
    fileType: text,
    md5: text,
    description: text,
  },
  { requiredKeys: [] },
);

const anyValue = fc.oneof(
  { weight: 8, arbitrary: basicValue },
  { weight: 1, arbitrary: typed(DataType.DataSet, dataSet) },
  { weight: 1, arbitrary: typed(DataType.Bytes, fc.uint8Array({ maxLength: 300 })) },
  { weight: 1, arbitrary: typed(DataType.File, fc.uint8Array({ maxLength: 300 })) },
);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const metric: fc.Arbitrary<Metric> = fc
  .record({
    name: optional(text),
    alias: optional(fc.maxSafeNat()),
    timestamp: optional(timestamp),
    typedValue: anyValue,
    isHistorical: fc.boolean(),
    isTransient: fc.boolean(),
    isNull: fc.boolean(),
    metadata: optional(metadata),
    properties: optional(properties),
  })
  .map(({ typedValue: { datatype, value }, ...rest }) => ({ ...rest, datatype, value: rest.isNull ? null : value }));

/** Payloads of everything that the encoder sends, with odd names and extreme numbers. */
export const arbitraryPayload: fc.Arbitrary<Payload> = fc.record({
  timestamp: optional(timestamp),
  seq: optional(fc.integer({ min: 0, max: 255 })),
  metrics: fc.array(metric, { maxLength: 12 }),
  uuid: optional(fc.uuid()),
  body: optional(fc.uint8Array({ maxLength: 50 })),
});
