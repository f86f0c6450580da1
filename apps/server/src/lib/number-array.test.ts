import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { numberArray, type NumberType } from "./number-array.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const cases: [NumberType, (number | null | undefined)[]][] = [
  ["int2", [0, -32_768, 32_767, null]],
  ["int4", [0, -2_147_483_648, 2_147_483_647, undefined, 1]],
  ["float4", [0, -1.5, Math.fround(0.1), Math.fround(3.4e38), Math.fround(1e-40), null]],
  ["float8", [Number.NaN, 1_790_000_000_123, 0.1, -5e-324, 1.7976931348623157e308]],
  ["float8", []],
  ["int4", [null]],
];

test.each(cases)("the database reads an array of %s as it is: %j", async (type, values) => {
  const { rows } = await database.pool.query<{ value: number | null }>(`select value::float8 from unnest($1::${type}[]) as value`, [
    numberArray(type, values, (value) => value),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(values.map((value) => (Number.isNaN(value ?? Number.NaN) ? null : value)));
});

test("an integer that its type cannot hold is refused before it is sent", () => {
  expect(() => numberArray("int2", [32_768], (value) => value)).toThrow(RangeError);
  expect(() => numberArray("int4", [2_147_483_648], (value) => value)).toThrow(RangeError);
});
