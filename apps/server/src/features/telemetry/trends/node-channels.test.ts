import { expect, test } from "vitest";
import { channelsOf } from "./node-channels.ts";
import type { TrendNodeRow } from "./trends.read-model.ts";

const node = (fields: Partial<TrendNodeRow>): TrendNodeRow =>
  ({
    activeVoltages: [true, false, true],
    activeCurrents: [false, true, true],
    isDirect: true,
    vNoise: null,
    iNoise: null,
    npCurrent: null,
    ...fields,
  }) as TrendNodeRow;

test("A-63 channels are those that are on, noise is what the node says it is", () => {
  expect(channelsOf(node({ vNoise: "0", iNoise: " 0.7 " }))).toEqual({
    activeVoltages: [true, false, true],
    activeCurrents: [false, true, true],
    isDirect: true,
    voltageNoise: 0,
    currentNoise: 0.7,
  });
});

test.each([null, "", " ", "much", "Infinity"])("A-63 of a node that says %j the usual noise is taken", (text) => {
  const usual = channelsOf(node({}));
  expect(usual.voltageNoise).toBe(5);
  expect(channelsOf(node({ vNoise: text, iNoise: text }))).toEqual(usual);
  for (const npCurrent of [0, -1]) expect(channelsOf(node({ npCurrent }))).toEqual(usual);
  expect(channelsOf(node({ npCurrent: 1_000 })).currentNoise).toBeGreaterThan(usual.currentNoise);
});
