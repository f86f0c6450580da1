import { expect, test } from "vitest";
import { createPlant } from "./plant.ts";
import { createScalarRow, scalarField as f } from "./scalar-row.ts";
import { rewire, type Wiring } from "./wiring.ts";
import { sampleNode } from "#testing/sample-node.ts";

const at = 1_770_000_000;
const drive = sampleNode({ starter: "VFD" });

function measured(node = drive) {
  const row = createScalarRow();
  createPlant({ seed: 5, nodes: [node], faultScale: 0, script: [] })
    .nodes.get(node.serial)!
    .model.scalarAt(at, row);
  return row;
}
const through = (wiring: Wiring) => measured({ ...drive, quirks: { wiring } });
const three = (row: Float64Array, first: number) => Array.from(row.slice(first, first + 3));
const all = [f.i1, f.v1, f.p1, f.q1, f.pf1];

test("a wiring that is right changes nothing, and a CT turned round turns the powers of its phase", () => {
  const right = measured();
  for (const first of all)
    for (const [k, value] of three(through({ cts: [1, 2, 3] }), first).entries()) expect(value).toBeCloseTo(right[first + k]!, 9);
  const turned = through({ cts: [1, -2, 3] });
  expect([0, 1, 2].map((k) => Math.sign(turned[f.p1 + k]!))).toEqual([1, -1, 1]);
  expect(turned[f.p2]).toBeCloseTo(-right[f.p2]!, 9);
  expect(turned[f.q2]).toBeCloseTo(-right[f.q2]!, 9);
});

test("exchanged taps exchange the voltages between them, an open one has half of the third", () => {
  const [v12, v23, v31] = three(measured(), f.v1);
  const exchanged = three(through({ taps: [2, 1, 3] }), f.v1);
  for (const [k, volts] of [v12, v31, v23].entries()) expect(exchanged[k]).toBeCloseTo(volts!, 6);
  const open = three(through({ taps: [0, 2, 3] }), f.v1);
  expect(open[1]).toBeCloseTo(v23!, 6);
  expect([open[0]! / v23!, open[2]! / v23!].map((share) => share.toFixed(3))).toEqual(["0.500", "0.500"]);
});

test("a row of a machine at rest stays one, without numbers that are none", () => {
  const row = createScalarRow();
  rewire(row, { taps: [2, 1, 3], cts: [-1, 0, 3] }, 1);
  expect([...row].every((value) => value === 0)).toBe(true);
});
