/** Places of the quantities in the row that `scalarAt` fills. Units: Hz, A, V (line-to-line), kW, kVAr, 1. */
export const scalarField = {
  lf: 0,
  i1: 1,
  i2: 2,
  i3: 3,
  v1: 4,
  v2: 5,
  v3: 6,
  p1: 7,
  p2: 8,
  p3: 9,
  q1: 10,
  q2: 11,
  q3: 12,
  pf1: 13,
  pf2: 14,
  pf3: 15,
  flag: 16,
  running: 17,
  fieldVoltage: 18,
  fieldCurrent: 19,
} as const;
export const scalarFieldCount = 20;

export type ScalarRow = Float64Array;

export function createScalarRow(): ScalarRow {
  return new Float64Array(scalarFieldCount);
}
