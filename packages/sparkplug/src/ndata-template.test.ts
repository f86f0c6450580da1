import * as fc from "fast-check";
import sparkplugPayload from "sparkplug-payload";
import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { decodePayload } from "./decode.ts";
import { interpretValue } from "./interpret.ts";
import { createNdataTemplate } from "./ndata-template.ts";

const metrics = [
  { alias: 1, datatype: DataType.Float },
  { alias: 300, datatype: DataType.Float },
  { alias: 9, datatype: DataType.Int32 },
] as const;

test("a patched template decodes to the values that were put in", () => {
  const template = createNdataTemplate(metrics);
  const length = template.bytes.length;
  const float = fc.float({ noNaN: true });
  const time = fc.integer({ min: 0, max: 2 ** 42 - 1 });
  fc.assert(
    fc.property(fc.nat(255), time, time, float, float, fc.integer(), fc.boolean(), (seq, acquired, published, a, b, c, isHistorical) => {
      template.patch(seq, acquired, published, [a, b, c], isHistorical);
      const payload = decodePayload(template.bytes);
      expect([payload.seq, payload.timestamp]).toEqual([seq, published]);
      expect(payload.metrics.map(({ alias, timestamp, isHistorical: old }) => [alias, timestamp, old])).toEqual(
        metrics.map(({ alias }) => [alias, acquired, isHistorical]),
      );
      expect(payload.metrics.map(({ value }, index) => interpretValue(value, metrics[index]!.datatype))).toEqual([a, b, c]);
    }),
  );
  expect(template.bytes).toHaveLength(length);
});

test("the padded varints are valid protobuf for another decoder", () => {
  const template = createNdataTemplate(metrics);
  template.patch(5, 1_767_225_600_000, 1_767_225_600_123, [1.5, 2.5, 3]);
  const read = sparkplugPayload.get("spBv1.0")!.decodePayload(template.bytes);
  expect([Number(read.seq), Number(read.timestamp)]).toEqual([5, 1_767_225_600_123]);
  expect(read.metrics!.map(({ alias }) => Number(alias))).toEqual([1, 300, 9]);
  // Live, where nothing else is said.
  expect(decodePayload(template.bytes).metrics.map(({ isHistorical }) => isHistorical)).toEqual([false, false, false]);
});
