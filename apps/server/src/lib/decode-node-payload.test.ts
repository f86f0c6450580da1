import { deflateSync } from "node:zlib";
import { compressedUuid } from "@busbar/sparkplug/compressed.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { expect, test } from "vitest";
import { decodeNodePayload } from "./decode-node-payload.ts";

test("a compressed payload says how large it is in memory; one that came as it is takes its own bytes", () => {
  const plain = encodePayload({ timestamp: 1, metrics: [{ name: "Files/Data", datatype: 17, value: Buffer.alloc(200_000) }] });
  const compressed = encodePayload({ uuid: compressedUuid, body: deflateSync(plain), metrics: [] });
  expect(compressed.length).toBeLessThan(1_000);
  expect(decodeNodePayload(compressed)).toMatchObject({ timestamp: 1, inflatedBytes: plain.length });
  expect(decodeNodePayload(plain).inflatedBytes).toBeUndefined();
});
