import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SparkplugDecodeError } from "./decode-error.ts";
import { decodePayload } from "./decode.ts";
import { encodePayload } from "./encode.ts";
import { interpretValue } from "./interpret.ts";
import { arbitraryPayload } from "./testing/arbitrary-payload.ts";

test("what was encoded decodes to the same payload", () => {
  fc.assert(
    fc.property(arbitraryPayload, (payload) => {
      expect(decodePayload(encodePayload(payload))).toEqual(payload);
    }),
    { numRuns: 500 },
  );
});

test("a Buffer decodes like a plain Uint8Array, also inside a larger buffer", () => {
  fc.assert(
    fc.property(arbitraryPayload, (payload) => {
      const encoded = encodePayload(payload);
      const inside = Buffer.concat([Buffer.from([1, 2, 3]), encoded, Buffer.from([4])]).subarray(3, 3 + encoded.length);
      expect(decodePayload(inside).metrics.map(({ name }) => name)).toEqual(payload.metrics.map(({ name }) => name));
    }),
  );
});

test("without datatypes on the wire the birth's types give back the values", () => {
  fc.assert(
    fc.property(arbitraryPayload, (payload) => {
      const decoded = decodePayload(encodePayload(payload, { omitDatatypes: true }));
      const values = decoded.metrics.map((metric, index) => interpretValue(metric.value, payload.metrics[index]!.datatype!));
      expect(values).toEqual(payload.metrics.map((metric) => metric.value));
    }),
    { numRuns: 500 },
  );
});

const mutation = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("change" as const), at: fc.nat(), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("insert" as const), at: fc.nat(), byte: fc.nat(255) }),
);

function mutate(bytes: Uint8Array, { kind, at, byte }: { kind: "cut" | "change" | "insert"; at: number; byte: number }): Uint8Array {
  const place = at % (bytes.length + 1);
  if (kind === "cut") return bytes.slice(0, place);
  if (kind === "insert") return Uint8Array.from([...bytes.slice(0, place), byte, ...bytes.slice(place)]);
  const changed = bytes.slice();
  if (place < changed.length) changed[place] = byte;
  return changed;
}

function decodeOutcome(bytes: Uint8Array): "decoded" | "refused" | Error {
  try {
    decodePayload(bytes);
    return "decoded";
  } catch (error) {
    return error instanceof SparkplugDecodeError ? "refused" : (error as Error);
  }
}

test("mutated payloads decode or throw SparkplugDecodeError, nothing else", () => {
  const seen = new Set<unknown>();
  fc.assert(
    fc.property(arbitraryPayload, fc.array(mutation, { minLength: 1, maxLength: 6 }), (payload, mutations) => {
      seen.add(decodeOutcome(mutations.reduce(mutate, encodePayload(payload))));
    }),
    { numRuns: 3_000 },
  );
  expect(seen).toEqual(new Set(["decoded", "refused"]));
});

test("random bytes decode or throw SparkplugDecodeError, nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(decodeOutcome(bytes)).toBeTypeOf("string");
    }),
    { numRuns: 3_000 },
  );
});
