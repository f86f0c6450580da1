import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { cleanText } from "#lib/clean-text.ts";
import { meterSlot, meterSlotCount } from "./meter-slots.ts";
import { readNodeEvent, type NodeEvent } from "./node-event.ts";
import { isReportedMetric } from "./node-report.ts";
import { columnSlotCount, integerSlotCount, scalarSlot, slotCount } from "./scalar-slots.ts";

/** One scalar: its values by slot, NaN where the message had none. A plain list of doubles: many thousands of these wait in a batch. */
export interface ScalarReading {
  atMs: number;
  /** Stored by the node while it could not send: belongs to history, never to the last value. */
  isHistorical: boolean;
  values: number[];
  /** Bits of slots that were reported to have no value. */
  nulls?: number;
}

/** Totals and accumulators of a meter: values by slot, NaN where the message had none. */
export interface MeterReading {
  atMs: number;
  values: number[];
}

/** What a node says about itself. */
export interface NodeFacts {
  macAddress?: string;
  ipAddress?: string;
  nodeHardwareVersion?: string;
  viModuleHardwareVersion?: string;
  isPoeEnabled?: boolean;
}

export type TelemetryProblem =
  | "timestamp-in-future"
  | "timestamp-too-old"
  | "older-than-retention"
  | "not-finite"
  | "out-of-range"
  | "bad-event";

export interface Telemetry {
  readings: ScalarReading[];
  /** What the message says of last values: its live readings, powers without a scalar too, and what a birth repeats. */
  reportedValues: ScalarReading[];
  /** Newest time of a live meter value. */
  meterAtMs: number | undefined;
  meter: MeterReading | undefined;
  isSensorOk: boolean | undefined;
  facts: NodeFacts | undefined;
  events: NodeEvent[];
  /** Of its configuration, and answers to requests. */
  reported: Metric[];
  /** Parts of files and manifests, for whoever takes files. */
  files: Metric[] | undefined;
  problems: TelemetryProblem[];
}

export interface TelemetryTimes {
  /** Time of metrics without a timestamp of their own. */
  defaultMs: number;
  nowMs: number;
  /** Older scalars have no place in the database any more. */
  oldestKeptMs: number;
}

const maxFutureMs = 60_000;
const earliestMs = Date.UTC(2010, 0, 1);

const factReaders: ReadonlyMap<string, (facts: NodeFacts, value: Metric["value"]) => void> = new Map([
  [metricNames.mac, (facts, value) => void (facts.macAddress = textOf(value))],
  [metricNames.ip, (facts, value) => void (facts.ipAddress = textOf(value))],
  [metricNames.hardwareVersion, (facts, value) => void (facts.nodeHardwareVersion = textOf(value))],
  [metricNames.viHardwareVersion, (facts, value) => void (facts.viModuleHardwareVersion = textOf(value))],
  [metricNames.poe, (facts, value) => void (facts.isPoeEnabled = typeof value === "boolean" ? value : undefined)],
]);

/** Reads the resolved metrics of one DATA message. Values that cannot be used are left out and reported as problems. */
export function readTelemetry(metrics: readonly Metric[], times: TelemetryTimes): Telemetry {
  const telemetry: Telemetry = {
    readings: [],
    reportedValues: [],
    meterAtMs: undefined,
    meter: undefined,
    isSensorOk: undefined,
    facts: undefined,
    events: [],
    reported: [],
    files: undefined,
    problems: [],
  };
  // Metrics of one message nearly always share one time.
  let reading: ScalarReading | undefined;
  let readingAtMs = -1;
  for (const metric of metrics) {
    const slot = scalarSlot(metric.name!);
    if (slot === undefined) {
      readOther(telemetry, metric, times);
      continue;
    }
    const atMs = metric.timestamp ?? times.defaultMs;
    if (atMs !== readingAtMs) {
      reading = readingAt(telemetry, atMs, times);
      readingAtMs = atMs;
    }
    if (reading === undefined) continue;
    if (metric.isHistorical) reading.isHistorical = true;
    if (metric.value === null) reading.nulls = (reading.nulls ?? 0) | (1 << slot);
    else reading.values[slot] = usableValue(telemetry, slot, metric.value);
  }
  telemetry.reportedValues = telemetry.readings.filter(({ isHistorical }) => !isHistorical);
  settleMeterTime(telemetry);
  return telemetry;
}

/**
 * Facts, sensor state, the last event and the last values of a birth: it repeats what the node knew, so its scalars are no new readings. A value
 * that it does not know says nothing. Its configuration is requested when someone wants to see it.
 */
export function readBirthTelemetry(metrics: readonly Metric[], times: TelemetryTimes): Telemetry {
  const named = metrics.filter(({ name = "" }) => name !== "" && !name.startsWith("Config/"));
  const telemetry = readTelemetry(
    named.filter(({ name = "" }) => scalarSlot(name) === undefined && !name.startsWith("Meter/")),
    times,
  );
  const scalars = named.filter(({ name = "", value }) => scalarSlot(name) !== undefined && value !== null);
  // A value that has stood for long is still the last one.
  telemetry.reportedValues = readTelemetry(scalars, { ...times, oldestKeptMs: 0 }).reportedValues;
  return telemetry;
}

export const noValues = Array.from({ length: slotCount }, () => Number.NaN);

function readingAt(telemetry: Telemetry, atMs: number, times: TelemetryTimes): ScalarReading | undefined {
  const known = telemetry.readings.find((one) => one.atMs === atMs);
  if (known) return known;
  const problem = timeProblem(atMs, times);
  if (problem) {
    addProblem(telemetry, problem);
    return undefined;
  }
  const reading: ScalarReading = { atMs, isHistorical: false, values: noValues.slice() };
  telemetry.readings.push(reading);
  return reading;
}

export function timeProblem(atMs: number, times: Omit<TelemetryTimes, "defaultMs">): TelemetryProblem | undefined {
  if (atMs > times.nowMs + maxFutureMs) return "timestamp-in-future";
  if (atMs < earliestMs) return "timestamp-too-old";
  return atMs < times.oldestKeptMs ? "older-than-retention" : undefined;
}

function addProblem(telemetry: Telemetry, problem: TelemetryProblem): void {
  if (!telemetry.problems.includes(problem)) telemetry.problems.push(problem);
}

function usableValue(telemetry: Telemetry, slot: number, value: Metric["value"]): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    addProblem(telemetry, "not-finite");
    return Number.NaN;
  }
  if (slot < integerSlotCount) {
    if (fitsInteger(value)) return value;
  } else {
    const single = Math.fround(value);
    if (Number.isFinite(single)) return single;
  }
  addProblem(telemetry, "out-of-range");
  return Number.NaN;
}

const fitsInteger = (value: number): boolean => Number.isInteger(value) && value >= -32_768 && value <= 32_767;

/** Whether version and flag can be stored, where they are there. */
export function integersFit(values: readonly number[]): boolean {
  for (let slot = 0; slot < integerSlotCount; slot++) if (!Number.isNaN(values[slot]) && !fitsInteger(values[slot]!)) return false;
  return true;
}

// Readings hold the powers that came with a scalar; a reading of powers alone is a meter value, not a scalar.
function settleMeterTime(telemetry: Telemetry): void {
  let hasOnlyMeter = false;
  for (const { atMs, isHistorical, values } of telemetry.readings) {
    if (hasMeter(values) && !isHistorical) telemetry.meterAtMs = Math.max(telemetry.meterAtMs ?? 0, atMs);
    if (!hasScalar(values)) hasOnlyMeter = true;
  }
  if (hasOnlyMeter) telemetry.readings = telemetry.readings.filter(({ values }) => hasScalar(values));
}

/** Whether it has a power, which is a value of the meter. */
export function hasMeter(values: readonly number[]): boolean {
  for (let slot = columnSlotCount; slot < slotCount; slot++) if (!Number.isNaN(values[slot])) return true;
  return false;
}

export function hasScalar(values: readonly number[]): boolean {
  for (let slot = 0; slot < columnSlotCount; slot++) if (!Number.isNaN(values[slot])) return true;
  return false;
}

function readOther(telemetry: Telemetry, metric: Metric, times: TelemetryTimes): void {
  const name = metric.name!;
  if (isReportedMetric(metric)) telemetry.reported.push(metric);
  const factReader = factReaders.get(name);
  if (factReader) factReader((telemetry.facts ??= {}), metric.value);
  else if (name === metricNames.isSensorOk) {
    if (typeof metric.value === "boolean" && !metric.isHistorical) telemetry.isSensorOk = metric.value;
  } else if (name === metricNames.lastEvent) {
    if (typeof metric.value !== "string" || metric.value === "") return;
    const event = readNodeEvent(metric.value);
    // Events are kept much longer than scalars.
    const problem = event === undefined ? "bad-event" : timeProblem(event.atMs, { ...times, oldestKeptMs: 0 });
    if (problem !== undefined) addProblem(telemetry, problem);
    else telemetry.events.push(event!);
  } else if (name.startsWith("Files/")) (telemetry.files ??= []).push(metric);
  else if (name.startsWith("Meter/") && metric.value !== null && !metric.isHistorical && name !== metricNames.liveLeaseSeconds) {
    const atMs = metric.timestamp ?? times.defaultMs;
    if (timeProblem(atMs, times) !== undefined) return;
    telemetry.meterAtMs = Math.max(telemetry.meterAtMs ?? 0, atMs);
    const slot = meterSlot(name);
    if (slot !== undefined) readMeterValue(telemetry, slot, atMs, metric.value);
  }
}

function readMeterValue(telemetry: Telemetry, slot: number, atMs: number, value: Metric["value"]): void {
  if (typeof value !== "number" || !Number.isFinite(value)) return addProblem(telemetry, "not-finite");
  if (!Number.isFinite(Math.fround(value))) return addProblem(telemetry, "out-of-range");
  telemetry.meter ??= { atMs, values: Array.from({ length: meterSlotCount }, () => Number.NaN) };
  telemetry.meter.atMs = Math.max(telemetry.meter.atMs, atMs);
  telemetry.meter.values[slot] = value;
}

function textOf(value: Metric["value"]): string | undefined {
  return typeof value === "string" ? cleanText(value, 64) : undefined;
}
