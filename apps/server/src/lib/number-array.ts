/** Of PostgreSQL, with its object id and its bytes. */
const types = {
  int2: { oid: 21, bytes: 2 },
  int4: { oid: 23, bytes: 4 },
  float4: { oid: 700, bytes: 4 },
  float8: { oid: 701, bytes: 8 },
} as const;
export type NumberType = keyof typeof types;

const headerBytes = 20;
const lengthBytes = 4;

/**
 * A number of each row, as an array in PostgreSQL's binary protocol (`array_recv`), which neither side needs to print or read as text. NULL for NaN and
 * where there is no number.
 * @throws RangeError for an integer that its type cannot hold
 */
export function numberArray<Row>(type: NumberType, rows: readonly Row[], read: (row: Row) => number | null | undefined): Buffer {
  const { oid, bytes } = types[type];
  const array = Buffer.allocUnsafe(headerBytes + rows.length * (lengthBytes + bytes));
  array.writeInt32BE(rows.length === 0 ? 0 : 1, 0); // dimensions
  array.writeInt32BE(1, 4); // may hold NULL
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(rows.length, 12);
  array.writeInt32BE(1, 16); // index of the first
  let end = rows.length === 0 ? 12 : headerBytes;
  for (const row of rows) {
    const value = read(row);
    if (value === null || value === undefined || Number.isNaN(value)) {
      end = array.writeInt32BE(-1, end);
      continue;
    }
    end = array.writeInt32BE(bytes, end);
    if (type === "float4") end = array.writeFloatBE(value, end);
    else if (type === "float8") end = array.writeDoubleBE(value, end);
    else if (type === "int4") end = array.writeInt32BE(value, end);
    else end = array.writeInt16BE(value, end);
  }
  return array.subarray(0, end);
}
