import { deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressedUuid, decodeMaybeCompressed, maxInflatedBytes, type Inflate } from "./compressed.ts";
import { DataType } from "./datatypes.ts";
import type { SparkplugDecodeError } from "./decode-error.ts";
import { encodePayload } from "./encode.ts";
import type { PayloadInput } from "./payload.ts";

const asked: [algorithm: string, maxBytes: number][] = [];
const inflate: Inflate = (body, algorithm, maxBytes) => {
  asked.push([algorithm, maxBytes]);
  return algorithm === "GZIP" ? gunzipSync(body) : inflateSync(body);
};
const named = (value: string) => [{ name: "algorithm", datatype: DataType.String, value }];
const metrics = [{ name: "A", datatype: DataType.Int32, value: 7 }];
const inner = (more: Partial<PayloadInput> = {}) => encodePayload({ metrics, ...more });
const outer = (body: Uint8Array, more: Partial<PayloadInput> = {}) =>
  encodePayload({ metrics: [], timestamp: 5_000, seq: 9, uuid: compressedUuid, body, ...more });
const decoded = (bytes: Uint8Array) => {
  const { seq, timestamp, inflatedBytes, metrics: found } = decodeMaybeCompressed(bytes, inflate);
  return { seq, timestamp, inflatedBytes, values: found.map(({ name, value }) => [name, value]) };
};

test("a payload that is not compressed stays as it came", () => {
  asked.length = 0;
  const own = encodePayload({ metrics, seq: 3, uuid: "another", body: new Uint8Array([1]) });
  expect(decoded(own)).toEqual({ seq: 3, timestamp: undefined, inflatedBytes: undefined, values: [["A", 7]] });
  expect(asked).toEqual([]);
});

test("a body is unpacked by the algorithm that is named, in any letters, and DEFLATE without a word about it", () => {
  asked.length = 0;
  const whole = { seq: 9, timestamp: 5_000, inflatedBytes: inner().length, values: [["A", 7]] };
  expect(decoded(outer(deflateSync(inner())))).toEqual(whole);
  expect(decoded(outer(gzipSync(inner()), { metrics: named("gzip") }))).toEqual(whole);
  expect(decoded(outer(deflateSync(inner()), { metrics: named("deflate") }))).toEqual(whole);
  expect(asked).toEqual(["DEFLATE", "GZIP", "DEFLATE"].map((algorithm) => [algorithm, maxInflatedBytes]));
  expect(maxInflatedBytes).toBe(262_144);
});

test("seq and timestamp of the inner payload win over those of the outer one", () => {
  expect(decoded(outer(deflateSync(inner({ seq: 0, timestamp: 1 }))))).toMatchObject({ seq: 0, timestamp: 1 });
});

test("another algorithm, or a payload that is compressed twice, is refused by name", () => {
  const refusal = (bytes: Uint8Array) => {
    try {
      return decoded(bytes);
    } catch (error) {
      return (error as SparkplugDecodeError).reason;
    }
  };
  expect(refusal(outer(deflateSync(inner()), { metrics: named("BROTLI") }))).toBe("compression-algorithm");
  expect(refusal(outer(deflateSync(outer(deflateSync(inner())))))).toBe("compressed-twice");
});
