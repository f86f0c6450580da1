import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { createMetricTablePool } from "./metric-table.ts";

test("equal births share a table, others do not; the one that was made first is forgotten when there are too many", () => {
  const pool = createMetricTablePool(2);
  const birth = (changes: object = {}) => [{ name: "a", alias: 1, datatype: DataType.Int32, ...changes }];
  const first = pool.get(birth());
  expect(pool.get(birth())).toBe(first);
  for (const changes of [{ datatype: DataType.Float }, { alias: 2 }, { name: "b" }]) {
    const other = pool.get(birth(changes));
    expect(other).not.toBe(first);
    expect(pool.get(birth(changes))).toBe(other);
  }
  expect(pool.get(birth())).not.toBe(first);
});
