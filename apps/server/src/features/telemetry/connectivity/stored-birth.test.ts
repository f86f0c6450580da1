import { expect, test } from "vitest";
import { readStoredBirth, storedBirth } from "./stored-birth.ts";

const definitions = [
  { name: "Properties/MAC", alias: undefined, datatype: 12 },
  { name: "Scalar/current1", alias: 0, datatype: 9 },
];
const snapshot = {
  isOnline: true,
  bdSeq: 0,
  lastSeq: 7,
  metrics: definitions,
  devices: [
    { id: "20001", isOnline: true, metrics: definitions },
    { id: "20002", isOnline: false, metrics: undefined },
  ],
};
const read = (fields: Partial<Parameters<typeof readStoredBirth>[0]> = {}) =>
  readStoredBirth({
    serial: 10_001,
    connected: new Set(["10001", "20001"]),
    lastSeq: 7,
    bdSeq: 0,
    metrics: JSON.parse(storedBirth(snapshot)) as Parameters<typeof readStoredBirth>[0]["metrics"],
    ...fields,
  });

test("A-63 a birth comes back as it was, with what has ended since", () => {
  expect(read()).toEqual(snapshot);
  expect(read({ connected: new Set(["20002"]) })).toMatchObject({ isOnline: false, devices: [{ isOnline: false }, { isOnline: true }] });
});

test.each([
  [-1, undefined],
  [0, 0],
  [255, 255],
])("A-63 a stored bdSeq of %i is %j", (bdSeq, expected) => {
  expect(read({ bdSeq }).bdSeq).toBe(expected);
});

test("A-63 without a last sequence number it begins at 0, and a name that the database takes not is forgotten", () => {
  expect(read({ lastSeq: null }).lastSeq).toBe(0);
  expect(JSON.parse(storedBirth({ ...snapshot, metrics: [{ name: "a\u0000b", alias: 1, datatype: 3 }], devices: [] }))).toEqual({
    metrics: [],
    devices: [],
  });
});
