import { describe, expect, test } from "vitest";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric, MetricValue } from "@busbar/sparkplug/payload.ts";
import { createClockSkew } from "./clock-skew.ts";
import { readNodeEvent } from "./node-event.ts";
import { readLastValues, textOfValues } from "./last-values.ts";
import { isReportedMetric, readNodeReport } from "./node-report.ts";
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

describe("A-63 readTelemetry", () => {
  test("each fact is of its own metric, and only a text or a yes or no is one", () => {
    const factsOf = (value: (name: string) => MetricValue) =>
      readTelemetry(
        [metricNames.mac, metricNames.ip, metricNames.hardwareVersion, metricNames.viHardwareVersion, metricNames.poe].map((name) =>
          metric(name, value(name)),
        ),
        times,
      ).facts;
    expect(factsOf((name) => (name === metricNames.poe ? true : `${name}${"x".repeat(64)}`))).toEqual({
      macAddress: `${metricNames.mac}${"x".repeat(64)}`.slice(0, 64),
      ipAddress: `${metricNames.ip}${"x".repeat(64)}`.slice(0, 64),
      nodeHardwareVersion: `${metricNames.hardwareVersion}${"x".repeat(64)}`.slice(0, 64),
      viModuleHardwareVersion: `${metricNames.viHardwareVersion}${"x".repeat(64)}`.slice(0, 64),
      isPoeEnabled: true,
    });
    expect(Object.values(factsOf(() => 1) ?? {})).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test.each<[string, number, readonly string[]]>([
    ["a minute ahead", nowMs + 60_000, []],
    ["more than a minute ahead", nowMs + 60_001, ["timestamp-in-future"]],
    ["the oldest that is kept", times.oldestKeptMs, []],
    ["older than what is kept", times.oldestKeptMs - 1, ["older-than-retention"]],
    ["before there were nodes", Date.UTC(2010, 0, 1) - 1, ["timestamp-too-old"]],
  ])("a scalar, an event and a meter's value of %s", (_, atMs, problems) => {
    const scalar = readTelemetry([metric(metricNames.lineFrequency, 60, { timestamp: atMs })], times);
    expect([scalar.readings.length, scalar.problems]).toEqual([problems.length === 0 ? 1 : 0, problems]);
    const meter = readTelemetry([metric(metricNames.kilowattHours, 7, { timestamp: atMs })], times);
    expect([meter.meter?.atMs, meter.meterAtMs, meter.problems]).toEqual(
      problems.length === 0 ? [atMs, atMs, []] : [undefined, undefined, []],
    );
    // Events are kept for years.
    const ofEvents = problems.filter((problem) => problem !== "older-than-retention");
    const event = readTelemetry([metric(metricNames.lastEvent, JSON.stringify({ kind: "SAG", ts: atMs }))], times);
    expect([event.events.length, event.problems]).toEqual([ofEvents.length === 0 ? 1 : 0, ofEvents]);
  });

  test("version and flag are whole numbers of two bytes, others fit single precision; what is null is known to be", () => {
    const read = (value: MetricValue, name: string = metricNames.scalarVersion) => readTelemetry([metric(name, value)], times);
    for (const value of [-32_768, 32_767]) expect([present(read(value).readings[0]!.values), read(value).problems]).toEqual([[value], []]);
    for (const value of [-32_769, 32_768, 1.5]) expect([read(value).readings, read(value).problems]).toEqual([[], ["out-of-range"]]);
    expect(read("480", metricNames.voltage1).problems).toEqual(["not-finite"]);
    const nulls = readTelemetry([metric(metricNames.voltage1, 480), metric(metricNames.scalarFlag, null)], times).readings;
    expect([nulls[0]!.nulls, present(nulls[0]!.values)]).toEqual([2, [480]]);
  });

  test("what is historical is no last value and says nothing of the sensor; a lease and a null are nothing of the meter", () => {
    const isHistorical = true;
    const old = readTelemetry(
      [
        metric(metricNames.lineFrequency, 60, { isHistorical }),
        metric(metricNames.isSensorOk, false, { isHistorical }),
        metric(metricNames.kilowattHours, 5, { isHistorical }),
        metric(metricNames.liveLeaseSeconds, 30),
        metric(metricNames.ampHours, null),
        metric(metricNames.lastEvent, ""),
      ],
      times,
    );
    expect(old).toMatchObject({
      readings: [{ isHistorical }],
      reportedValues: [],
      isSensorOk: undefined,
      meterAtMs: undefined,
      events: [],
    });
    expect(old.problems).toEqual([]);
    const later = [metric(metricNames.kilowattHours, 5, { timestamp: nowMs - 9 }), metric(metricNames.ampHours, 6)];
    for (const metrics of [later, later.toReversed()])
      expect(readTelemetry(metrics, times)).toMatchObject({ meterAtMs: nowMs, meter: { atMs: nowMs } });
    expect(readTelemetry([metric(metricNames.kilowattHours, 1e39), metric(metricNames.ampHours, Number.NaN)], times).problems).toEqual([
      "out-of-range",
      "not-finite",
    ]);
  });

  test("of a birth the last values may be as old as they are, and neither its meter nor its configuration is news", () => {
    const { reportedValues, meterAtMs, meter, reported, problems } = readBirthTelemetry(
      [
        metric(metricNames.lineFrequency, 60, { timestamp: times.oldestKeptMs - 1 }),
        metric(metricNames.voltage1, null),
        metric(metricNames.kilowattHours, 5),
        metric("Config/np_hp", "50"),
      ],
      times,
    );
    expect(reportedValues.map(({ values, nulls }) => [present(values), nulls])).toEqual([[[60], undefined]]);
    expect([meterAtMs, meter, reported, problems]).toEqual([undefined, undefined, [], []]);
  });
});

describe("A-63 readNodeReport", () => {
  const id = "0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e12";
  const text = (value: string) => ({ type: 12, value });
  const answer = (requestId: string, result: string) =>
    new Map([
      ["requestId", text(requestId)],
      ["result", text(result)],
    ]);

  test("configuration values come by key with their types, as texts", () => {
    const report = readNodeReport(1, 5, [
      metric("Config/a", "x".repeat(301), { datatype: 12 }),
      metric("Config/b", true),
      metric("Config/c", false),
      metric("Config/d", Math.fround(57.6), { datatype: 9 }),
      metric("Config/e", 57.6, { datatype: 10 }),
      metric("Config/f", 7n),
      metric("Config/g", null),
      metric("Config/h", Number.NaN),
      metric(`Config/${"k".repeat(64)}`, "longest"),
      metric(`Config/${"k".repeat(65)}`, "too long"),
      metric("Config/", "no key"),
      metric("Config/two\nlines", "no key"),
      metric("Other/i", "1"),
    ]);
    expect([report?.serial, report?.atMs, report?.answers]).toEqual([1, 5, []]);
    expect(Object.fromEntries(report!.values)).toEqual({
      a: "x".repeat(300),
      b: "1",
      c: "0",
      d: "57.6",
      e: "57.6",
      f: "7",
      ["k".repeat(64)]: "longest",
    });
    expect(Object.fromEntries(report!.types)).toEqual({ a: 12, d: 9, e: 10 });
  });

  test("answers carry the request, what was asked, the result and the value; others are none", () => {
    const answers = (...metrics: Metric[]) => readNodeReport(1, 5, metrics)?.answers;
    expect(answers(metric("Config/np_hp", "50", { properties: answer(id, "OK") }))).toEqual([
      { requestId: id, metric: "Config/np_hp", result: "OK", value: "50" },
    ]);
    expect(answers(metric(metricNames.configRefresh, id))).toEqual([
      { requestId: id, metric: metricNames.configRefresh, result: "OK", value: null },
    ]);
    expect(answers(metric("Config/np_hp", null, { properties: answer(id, "x".repeat(33)) }))).toMatchObject([
      { result: "x".repeat(32), value: null },
    ]);
    expect(answers(metric(metricNames.configRefresh, "other"), metric("X", 1, { properties: answer(`${id}0`, "OK") }))).toBeUndefined();
  });

  test("of one message two hundred count, and what is historical does not", () => {
    const many = Array.from({ length: 201 }, (_, index) => metric(`Config/k${index}`, "1"));
    expect([...readNodeReport(1, 5, many)!.values.keys()].at(-1)).toBe("k199");
    const of = (changes: Partial<Metric>, name = "Other") => isReportedMetric(metric(name, 1, changes));
    expect([of({}), of({ properties: new Map() }), of({}, "Config/a"), of({ isHistorical: true }, "Config/a")]).toEqual([
      false,
      true,
      true,
      false,
    ]);
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

test("A-63 an event has texts of so many characters and numbers that are some", () => {
  const body = { phase: "p".repeat(201), fileName: 7, value: "7", limit: 0 };
  expect(readNodeEvent(JSON.stringify({ kind: "k".repeat(65), ts: 0, ...body }))).toEqual({
    kind: "k".repeat(64),
    atMs: 0,
    body: { phase: "p".repeat(200), limit: 0 },
  });
  const padded = (length: number) => JSON.stringify({ kind: "SAG", ts: nowMs }).padEnd(length);
  expect([readNodeEvent(padded(4_096))?.kind, readNodeEvent(padded(4_097))]).toEqual(["SAG", undefined]);
});

test("the scalar's text rounds to three decimals and leaves unknown values empty", () => {
  const values = [1, 0, 60.020_000_457_763_67, 7, NaN, 8.000_49, -0.004_4];
  expect(textOfValues({ values, timesMs: values.map(() => 5) })).toBe("1,0,5,60.02,7,,8,-0.004");
  expect(textOfValues(readLastValues("1,0,5,60.02,7,,8", ""))).toBe(`1,0,5,60.02,7,,8${",".repeat(12)}`);
});

test("A-63 the clock skew is known from the first message on, then renewed with every eighth, of the last 31", () => {
  const skew = createClockSkew();
  const medians = Array.from({ length: 17 }, (_, index) => {
    skew.add(index);
    return skew.medianMs;
  });
  expect(medians).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8]);
  for (let count = 17; count < 40; count++) skew.add(-count);
  for (let count = 40; count < 56; count++) skew.add(1_000);
  expect(skew.medianMs).toBe(1_000);
});

test("the clock skew is a median: a few late messages do not count", () => {
  const skew = createClockSkew();
  expect(skew.medianMs).toBeUndefined();
  for (let count = 0; count < 64; count++) skew.add(count % 5 === 0 ? -60_000 : 40);
  expect(skew.medianMs).toBe(40);
});
