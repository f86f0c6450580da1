import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { decodePayload } from "./decode.ts";
import { encodePayload } from "./encode.ts";
import { createMetricTable } from "./metric-table.ts";
import { createNumberSlots, readNumbers, type NumbersHead } from "./number-slots.ts";
import type { MetricInput } from "./payload.ts";
import { resolveMetrics } from "./resolve.ts";

const aliasOf = (slot: number) => 10 + slot * 40;
const types = [DataType.Float, DataType.Float, DataType.Int8, DataType.Int16, DataType.Int32, DataType.UInt8, DataType.UInt16];
const table = createMetricTable([
  ...types.map((datatype, slot) => ({ name: `s${slot}`, alias: aliasOf(slot), datatype })),
  { name: "text", alias: 5, datatype: DataType.String },
  { name: "s1000", alias: 2_000, datatype: DataType.Float },
]);
const withoutAbsent = ({ timestamp, ...metric }: MetricInput): MetricInput => (timestamp === undefined ? metric : { timestamp, ...metric });
const slotOf = (name: string) => (name.startsWith("s") ? Number(name.slice(1)) : undefined);
const slots = createNumberSlots(table, slotOf);

function read(bytes: Uint8Array): { head: NumbersHead; values: number[] } | undefined {
  const head: NumbersHead = { seq: 0, timestamp: 0, atMs: 0 };
  const values = types.map(() => Number.NaN);
  return readNumbers(bytes, slots, head, values) ? { head, values } : undefined;
}

/** In the general way. */
function decode(bytes: Uint8Array) {
  const payload = decodePayload(bytes);
  expect(resolveMetrics(payload, table)).toEqual([]);
  const values = types.map(() => Number.NaN);
  for (const { name, value } of payload.metrics) values[slotOf(name!)!] = value as number;
  const times = new Set(payload.metrics.map(({ timestamp }) => timestamp ?? payload.timestamp));
  expect(times.size).toBe(1);
  return { head: { seq: payload.seq, timestamp: payload.timestamp, atMs: [...times][0] }, values };
}

const times = fc.constantFrom(undefined, 1_764_000_000_000, 1_764_000_000_000, 1_764_000_000_001);
/** A number of the birth, as its type has it. */
const number = fc.nat(types.length - 1).chain((slot) => {
  const datatype = types[slot]!;
  const value = datatype === DataType.Float ? fc.oneof(fc.float(), fc.integer({ min: -9, max: 9 })) : fc.integer({ min: 0, max: 127 });
  return fc.record({ alias: fc.constant(aliasOf(slot)), datatype: fc.constant(datatype), value, timestamp: times });
});
const odd = fc.oneof(
  fc.constant<MetricInput>({ alias: 5, datatype: DataType.String, value: "text" }),
  fc.constant<MetricInput>({ alias: 2_000, datatype: DataType.Float, value: 3 }),
  fc.constant<MetricInput>({ name: "s1", datatype: DataType.Float, value: 3 }),
  fc.constant<MetricInput>({ alias: aliasOf(0), datatype: DataType.Float, value: null }),
  fc.constant<MetricInput>({ alias: aliasOf(0), datatype: DataType.Float, value: 4, isHistorical: true }),
  fc.constant<MetricInput>({ alias: 77, datatype: DataType.Float, value: 4 }),
);
const encode = (metrics: readonly MetricInput[], head: { timestamp?: number; seq?: number }) =>
  encodePayload({ ...head, metrics: metrics.map(withoutAbsent) }, { omitDatatypes: true });

test("reads numbers as the general way does", () => {
  let count = 0;
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 12 }), fc.nat(255), times, (numbers, seq, timestamp = 1_764_000_000_000) => {
      const bytes = encode(numbers, { seq, timestamp });
      const plain = read(bytes);
      if (plain === undefined) return;
      count++;
      expect(plain).toEqual(decode(bytes));
    }),
    { numRuns: 1_000 },
  );
  expect(count).toBeGreaterThan(100);
});

test("leaves what is no number of now, and a message of two times, to the general way", () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 5 }), odd, (numbers, metric) => {
      const plain = read(encode([...numbers, metric], { seq: 1, timestamp: 1_764_000_000_000 }));
      expect(plain).toBeUndefined();
    }),
  );
  const of = (...timestamps: number[]) =>
    read(
      encode(
        timestamps.map((timestamp, slot) => ({ alias: aliasOf(slot), datatype: DataType.Float, value: 1, timestamp })),
        { seq: 1, timestamp: 9 },
      ),
    );
  expect(of(7, 7)?.head).toEqual({ seq: 1, timestamp: 9, atMs: 7 });
  expect(of(7, 8)).toBeUndefined();
  const negative = encode([{ alias: aliasOf(2), datatype: DataType.Int8, value: -5 }], { seq: 1, timestamp: 9 });
  expect(read(negative)?.values[2]).toBe(-5);
  expect(read(encode([], { seq: 1, timestamp: 9 }))).toBeUndefined();
  expect(read(encode([{ alias: aliasOf(0), datatype: DataType.Float, value: 1 }], { timestamp: 9 }))).toBeUndefined();
  // What the message before said is not of this one.
  for (const timestamp of [undefined, 7])
    expect(
      read(encode([{ alias: aliasOf(0), datatype: DataType.Float, value: 1, ...(timestamp ? { timestamp } : {}) }], { seq: 1 })),
    ).toBeUndefined();
  expect(read(encode([{ alias: aliasOf(0), datatype: DataType.Float, value: Number.NaN }], { seq: 1, timestamp: 9 }))).toBeUndefined();
});

test("what it takes, however broken it looks, the general way takes too and reads the same", () => {
  const whole = encode(
    types.map((datatype, slot) => ({ alias: aliasOf(slot), datatype, value: slot, timestamp: 1_764_000_000_000 })),
    { seq: 200, timestamp: 1_764_000_000_001 },
  );
  expect(read(whole)).toEqual(decode(whole));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
      const bytes = Uint8Array.from(whole).subarray(0, Math.max(at + 1, length));
      bytes[at] = byte;
      const plain = read(bytes);
      expect(plain ?? "left").toEqual(plain ? decode(bytes) : "left");
    }),
    { numRuns: 5_000 },
  );
});

test("of a value that is there twice the last counts, whatever kind the first was", () => {
  // Alias 170, an Int32; a float of 1 and the whole number 7; time and seq 1.
  const bytes = Uint8Array.from([0x08, 1, 0x12, 12, 0x10, 0xaa, 0x01, 0x18, 1, 0x65, 0, 0, 0x80, 0x3f, 0x50, 7, 0x18, 1]);
  expect(read(bytes)?.values[4]).toBe(7);
  expect(read(bytes)?.values).toEqual(decode(bytes).values);
});
