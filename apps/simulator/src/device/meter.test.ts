import { expect, test } from "vitest";
import { createScalarRow, scalarField as f } from "#node-model/scalar-row.ts";
import { addSample, createMeter, resetMeter } from "./meter.ts";

function balanced(amps: number, kwPerPhase: number, kvarPerPhase: number) {
  const row = createScalarRow();
  for (let k = 0; k < 3; k++) {
    row[f.i1 + k] = amps;
    row[f.p1 + k] = kwPerPhase;
    row[f.q1 + k] = kvarPerPhase;
  }
  row[f.running] = 1;
  return row;
}

test("100 A for 15 minutes are 25 Ah, with five minutes missing 16.7 Ah and what a gap may count", () => {
  const meter = createMeter();
  addSample(meter, balanced(100, 20, 10), 0, 10, false);
  const afterFirst = meter.ampHours;
  for (let t = 10; t <= 900; t += 10) addSample(meter, balanced(100, 20, 10), t, 10, false);
  expect(meter.ampHours - afterFirst).toBeCloseTo(25, 9);
  expect(meter.kilowattHours).toBeCloseTo((60 * 915) / 3600, 9);
  expect(meter.runningSeconds).toBe(915);

  resetMeter(meter);
  for (let t = 910; t <= 1500; t += 10) addSample(meter, balanced(100, 20, 10), t, 10, false);
  addSample(meter, balanced(100, 20, 10), 1810, 10, false);
  expect(meter.ampHours).toBeCloseTo((100 * 615) / 3600, 9);
});

test("balanced 480 V, 100 A, power factor 0.85", () => {
  const meter = createMeter();
  addSample(meter, balanced(100, 23.5559, 14.5986), 0, 10, false);
  expect(meter.kw).toBeCloseTo(70.6677, 3);
  expect(meter.kva).toBeCloseTo(83.1384, 2);
  expect(meter.kvar).toBeCloseTo(43.7959, 2);
  expect(meter.powerFactor).toBeCloseTo(0.85, 3);
});

test("the total apparent power of unlike phases is their arithmetic sum", () => {
  const meter = createMeter();
  const row = createScalarRow();
  row.set([23.7435, 20.9892, 26.5783], f.p1);
  row.set([14.2666, 13.1155, 15.345], f.q1);
  addSample(meter, row, 0, 10, false);
  expect(meter.kva).toBeCloseTo(83.14, 2);
  expect(meter.kvar).toBeCloseTo(42.7434, 2);
  expect(meter.powerFactor).toBeCloseTo(0.8577, 4);
});
