import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { encodePayload } from "./encode.ts";

const { Int32 } = DataType;

test.each([
  ["a type too few", { columns: ["a", "b"], types: [Int32], rows: [] }],
  ["an element too many", { columns: ["a"], types: [Int32], rows: [[1], [1, 2]] }],
])("A-63 a data set with %s is refused with a sentence", (_, value) => {
  const payload = { timestamp: 1, metrics: [{ name: "table", datatype: DataType.DataSet, value }] };
  expect(() => encodePayload(payload as never)).toThrow(
    new TypeError("A data set needs one type per column and one element per column in each row"),
  );
});
