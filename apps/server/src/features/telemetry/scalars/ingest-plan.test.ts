import { allPhases } from "@busbar/metering/phases.ts";
import { expect, test } from "vitest";
import { commitPlan, planBatch } from "./ingest-plan.ts";
import { createLiveState } from "./live-state.ts";
import { columnSlotCount, slotCount } from "./scalar-slots.ts";
import { bareEntry } from "./settled-entry.ts";
import { readTelemetry, type ScalarReading, type Telemetry } from "./telemetry.ts";

const stateOf = (serial: number, timezone: string | null = "UTC") =>
  createLiveState({
    serial,
    timezone,
    scalarIntervalSeconds: 10,
    lastScalarAtMs: null,
    lastScalarData: "",
    lastScalarTimes: "",
    missingDay: null,
    missingCount: 0,
    platformMissedCount: 0,
    macAddress: null,
    ipAddress: null,
    nodeHardwareVersion: null,
    viModuleHardwareVersion: null,
    isPoeEnabled: false,
    activePower: allPhases,
    demandAtMs: null,
    demandKwSeconds: null,
    demandCoveredSeconds: null,
  });
const entryOf = (serial: number, receivedAtMs = 1) => ({
  ...bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs, hold: undefined, settle: () => undefined }, serial, []),
  subject: stateOf(serial),
});

test("a node's day is that of its place; UTC's where it is at none or its zone is not known", () => {
  const zones = ["Pacific/Honolulu", "Asia/Kolkata", null, "Mars/Olympus"];
  expect(zones.map((zone) => stateOf(1, zone).timezone)).toEqual(["Pacific/Honolulu", "Asia/Kolkata", "UTC", "UTC"]);
});

test("the skew of a node's clock is written with a message that has a time, and left alone by one that has none", () => {
  const [timed, timeless] = [entryOf(1), entryOf(2)];
  for (const { subject } of [timed, timeless]) subject.skew.add(1_500);
  const { live } = planBatch([{ ...timed, hasClock: true }, timeless], []);
  expect(live.map(({ skewMs }) => skewMs)).toEqual([1_500, undefined]);
});

test("live rows are written in the order of their nodes, however their messages came: no two writers wait for each other", () => {
  const plan = planBatch(
    [30, 10, 20, 10].map((serial) => entryOf(serial)),
    [],
  );
  expect(plan.live.map(({ state }) => state.serial)).toEqual([10, 20, 30]);
});

test("a node was seen when its newest message came, in whichever order they are planned", () => {
  const [first, later] = [entryOf(1, 5_000), entryOf(1, 3_000)];
  const planned = [first, { ...later, subject: first.subject }, entryOf(2, 4_000), entryOf(2, 6_000)];
  expect(planBatch(planned, []).live.map(({ seenAtMs }) => seenAtMs)).toEqual([5_000, 6_000]);
});

const telemetryOf = (change: Partial<Telemetry>): Telemetry => ({
  ...readTelemetry([], { defaultMs: 0, nowMs: 0, oldestKeptMs: 0 }),
  ...change,
});
/** A scalar of some slots. */
const readingOf = (atMs: number, slots: Record<number, number>, isHistorical = false): ScalarReading => ({
  atMs,
  isHistorical,
  values: Array.from({ length: slotCount }, (_, slot) => slots[slot] ?? Number.NaN),
});
/** Several messages of one node, in the order in which they came. */
function planOf(...changes: Partial<ReturnType<typeof entryOf>>[]) {
  const subject = stateOf(1);
  return {
    subject,
    plan: planBatch(
      changes.map((change) => ({ ...entryOf(1), ...change, subject })),
      [],
    ),
  };
}

test("A-63 of what a node says of itself only what is new is written, and known once it is; what no one says stays", () => {
  const { subject, plan } = planOf(
    { telemetry: telemetryOf({ facts: { macAddress: "a", ipAddress: "1", isPoeEnabled: false } }) },
    { telemetry: telemetryOf({ facts: { ipAddress: "2" } }) },
  );
  expect(plan.live[0]!.facts).toEqual({ macAddress: "a", ipAddress: "2" });
  commitPlan(plan);
  expect(subject.facts).toMatchObject({ macAddress: "a", ipAddress: "2", isPoeEnabled: false });
  const again = planBatch([{ ...entryOf(1), subject, telemetry: telemetryOf({ facts: { macAddress: "a" } }) }], []);
  expect(again.live[0]!.facts).toBeUndefined();
  commitPlan(again);
  expect(subject.facts).toMatchObject({ macAddress: "a", ipAddress: "2" });
});

test("A-63 meters of one batch are the newest values of each kind, in whichever order they came", () => {
  const [older, newer] = [
    { atMs: 1_000, values: [1, 2, Number.NaN] },
    { atMs: 2_000, values: [3, Number.NaN, Number.NaN] },
  ];
  for (const meters of [
    [older, newer],
    [newer, older],
  ]) {
    const { plan } = planOf(...meters.map((meter) => ({ telemetry: telemetryOf({ meter, meterAtMs: meter.atMs }) })));
    expect([plan.live[0]!.meter, plan.live[0]!.meterAtMs]).toEqual([{ atMs: 2_000, values: [3, 2, Number.NaN] }, 2_000]);
  }
});

test("A-63 a power in a plain message is a value of the meter, a scalar alone is none", () => {
  expect(planOf({ plain: readingOf(9_000, { 3: 1 }) }).plan.live[0]!.meterAtMs).toBeUndefined();
  const powers = [9_000, 8_000].map((atMs) => ({ plain: readingOf(atMs, { 3: 1, [columnSlotCount]: 5 }) }));
  expect(planOf(...powers).plan.live[0]!.meterAtMs).toBe(9_000);
});

test("A-63 messages of one time are one row, in which what was said first stays; an older time is late and not the newest", () => {
  const { subject, plan } = planOf(
    { plain: readingOf(9_000, { 2: 1, 3: 2 }) },
    { plain: readingOf(9_000, { 3: 7, 4: 3 }) },
    { plain: readingOf(5_000, { 2: 4 }, true) },
  );
  const seen = (readings: typeof plan.newReadings) =>
    readings.map(({ reading, isNewest }) => [reading.atMs, reading.values.slice(2, 5), isNewest]);
  expect(seen(plan.newReadings)).toEqual([[9_000, [1, 2, 3], true]]);
  expect(seen(plan.lateReadings)).toEqual([[5_000, [4, Number.NaN, Number.NaN], false]]);
  expect([plan.live[0]!.newestMs, plan.live[0]!.newestStoredMs, subject.newestStoredMs]).toEqual([9_000, 9_000, undefined]);
  commitPlan(plan);
  expect([subject.newestStoredMs, subject.last, subject.minutes]).toEqual([9_000, plan.live[0]!.last, plan.live[0]!.minutes]);
});

test("A-63 what a node had kept is stored as its newest, yet is not live", () => {
  const { plan } = planOf({ plain: readingOf(9_000, { 2: 1 }) }, { plain: readingOf(12_000, { 2: 2 }, true) });
  expect([plan.live[0]!.newestMs, plan.live[0]!.newestStoredMs]).toEqual([9_000, 12_000]);
});

test("A-63 a power that is left out beside others is that of before, and a node that goes leaves none of it unwritten", () => {
  const powers = (atMs: number, ...kw: (number | undefined)[]) => ({
    plain: readingOf(
      atMs,
      Object.fromEntries(kw.flatMap((value, phase) => (value === undefined ? [] : [[columnSlotCount + phase, value]]))),
    ),
  });
  const came = [powers(10_000, 1, 2, 3), powers(20_000, 4, undefined, undefined)];
  const { subject, plan } = planOf(...came);
  expect([plan.live[0]!.demand.blocks, plan.live[0]!.demandToWrite]).toEqual([[{ startMs: 0, kwSeconds: 90, coveredSeconds: 10 }], []]);
  commitPlan(plan);
  expect(subject.demand.blocks).toHaveLength(1);
  const gone = { connection: { isConnected: false, reason: undefined, endedDevices: [], birth: undefined } as never };
  const last = planBatch([{ ...entryOf(1), subject, ...gone }], []);
  expect(last.live[0]!.demandToWrite).toHaveLength(1);
  commitPlan(last);
  expect(subject.demand.blocks).toEqual([]);
});
