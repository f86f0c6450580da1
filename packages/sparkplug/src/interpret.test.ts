import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { interpretValue } from "./interpret.ts";
import type { MetricValue } from "./payload.ts";

test.each<[what: string, value: MetricValue, own: number[], others: number[]]>([
  ["a number", 1.5, [DataType.Float, DataType.Double], [DataType.String, DataType.Int32, DataType.Boolean]],
  ["a long number", 2n ** 60n, [DataType.UInt64, DataType.DateTime], [DataType.Float, DataType.String]],
  ["a boolean", true, [DataType.Boolean], [DataType.Int8, DataType.String]],
  ["a text", "on", [DataType.String, DataType.Text, DataType.UUID], [DataType.Boolean, DataType.Bytes]],
  [
    "bytes",
    Uint8Array.of(1),
    [DataType.Bytes, DataType.File, DataType.Int8Array, DataType.DateTimeArray],
    [DataType.String, DataType.DataSet],
  ],
  ["nothing", null, [DataType.Float, DataType.String, DataType.DataSet], []],
])("%s stays what it is where its type was declared or none was, and is nothing where another was", (_, value, own, others) => {
  for (const type of [...own, DataType.Unknown]) expect([type, interpretValue(value, type)]).toEqual([type, value]);
  for (const type of others) expect([type, interpretValue(value, type)]).toEqual([type, undefined]);
});

test("a number of the wire has the sign and the size of its type", () => {
  const read = [DataType.Int8, DataType.UInt8, DataType.Int16, DataType.UInt16, DataType.Int32, DataType.UInt32].map((type) =>
    interpretValue(4_294_967_295, type),
  );
  expect(read).toEqual([-1, 255, -1, 65_535, -1, 4_294_967_295]);
  expect([0, 1, 2].map((value) => interpretValue(value, DataType.Boolean))).toEqual([false, true, undefined]);
  expect([interpretValue(2n ** 64n - 1n, DataType.Int64), interpretValue(5n, DataType.Unknown)]).toEqual([-1, 5]);
});
