import { describe, expect, test } from "vitest";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric, MetricValue } from "@busbar/sparkplug/payload.ts";
import { createClockSkew } from "./clock-skew.ts";
import { readNodeEvent } from "./node-event.ts";
import { readLastValues, textOfValues } from "./last-values.ts";
import { readBirthTelemetry, readTelemetry } from "./telemetry.ts";

const nowMs = Date.UTC(2026, 5, 1, 12);
const times = { nowMs, defaultMs: nowMs - 5, oldestKeptMs: nowMs - 3 * 86_400_000 };

function metric(name: string, value: MetricValue, changes: Partial<Metric> = {}): Metric {
  return {
    name,
    alias: undefined,
    timestamp: nowMs,
    datatype: undefined,
    isHistorical: false,
    isTransient: false,
    isNull: false,
    value,
    metadata: undefined,
    properties: undefined,
    ...changes,
  };
}

const present = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));

describe("readTelemetry", () => {
  test("metrics of one time are one reading, in the order of the columns", () => {
    const { readings } = readTelemetry(
      [metric(metricNames.voltage3, 481), metric(metricNames.lineFrequency, 60), metric(metricNames.scalarFlag, 3)],
      times,
    );
    expect(readings).toMatchObject([{ atMs: nowMs, isHistorical: false }]);
    expect(readings[0]!.values.slice(0, 9)).toEqual([NaN, 3, 60, NaN, NaN, NaN, NaN, NaN, 481]);
  });

  test("a metric without a time has the message's, and times may alternate", () => {
    const { readings } = readTelemetry(
      [
        metric(metricNames.lineFrequency, 60, { timestamp: undefined }),
        metric(metricNames.current1, 7),
        metric(metricNames.current2, 8, { timestamp: undefined }),
      ],
      times,
    );
    expect(readings.map(({ atMs, values }) => [atMs, present(values)])).toEqual([
      [nowMs - 5, [60, 8]],
      [nowMs, [7]],
    ]);
  });

  test("powers alone are a meter reading, not a scalar; historical ones are neither", () => {
    expect(readTelemetry([metric(metricNames.power1, 12)], times)).toMatchObject({ readings: [], meterAtMs: nowMs });
    expect(readTelemetry([metric(metricNames.kilowattHours, 12)], times)).toMatchObject({ readings: [], meterAtMs: nowMs });
    expect(readTelemetry([metric(metricNames.power1, 12, { isHistorical: true })], times).meterAtMs).toBeUndefined();
  });

  test("values that are no measurement are left out and reported", () => {
    const { readings, problems } = readTelemetry(
      [
        metric(metricNames.lineFrequency, Number.NaN),
        metric(metricNames.current1, 1e300),
        metric(metricNames.scalarVersion, 40_000),
        metric(metricNames.voltage1, 480),
      ],
      times,
    );
    expect(present(readings[0]!.values)).toEqual([480]);
    expect(problems).toEqual(["not-finite", "out-of-range"]);
  });

  test("a birth repeats scalars that are no new readings", () => {
    const birth = readBirthTelemetry(
      [metric(metricNames.lineFrequency, 60), metric(metricNames.ip, "192.0.2.7"), metric(metricNames.isSensorOk, true)],
      times,
    );
    expect(birth).toMatchObject({ readings: [], meterAtMs: undefined, facts: { ipAddress: "192.0.2.7" }, isSensorOk: true });
    expect(birth.reportedValues.map(({ values }) => present(values))).toEqual([[60]]);
  });
});

test.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["no kind", JSON.stringify({ ts: nowMs })],
  ["a kind of control characters", JSON.stringify({ kind: "\u0000\u001B", ts: nowMs })],
  ["a time that is text", JSON.stringify({ kind: "SAG", ts: "now" })],
  ["more than 4 KiB", JSON.stringify({ kind: "SAG", ts: nowMs, fileName: "x".repeat(5_000) })],
])("%s is no event", (_what, text) => {
  expect(readNodeEvent(text)).toBeUndefined();
});

test("an event keeps its known fields only", () => {
  const text = `{"kind":"SAG","ts":${nowMs},"phase":"A","value":0.71,"limit":0.9,"fileName":"a.txt","__proto__":{"x":1},"extra":[1]}`;
  expect(readNodeEvent(text)).toEqual({ kind: "SAG", atMs: nowMs, body: { phase: "A", value: 0.71, limit: 0.9, fileName: "a.txt" } });
});

test("the scalar's text rounds to three decimals and leaves unknown values empty", () => {
  const values = [1, 0, 60.020_000_457_763_67, 7, NaN, 8.000_49, -0.004_4];
  expect(textOfValues({ values, timesMs: values.map(() => 5) })).toBe("1,0,5,60.02,7,,8,-0.004");
  expect(textOfValues(readLastValues("1,0,5,60.02,7,,8", ""))).toBe(`1,0,5,60.02,7,,8${",".repeat(12)}`);
});

test("the clock skew is a median: a few late messages do not count", () => {
  const skew = createClockSkew();
  expect(skew.medianMs).toBeUndefined();
  for (let count = 0; count < 64; count++) skew.add(count % 5 === 0 ? -60_000 : 40);
  expect(skew.medianMs).toBe(40);
});
