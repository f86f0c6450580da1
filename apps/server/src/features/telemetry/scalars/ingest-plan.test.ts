import { allPhases } from "@busbar/metering/phases.ts";
import { expect, test } from "vitest";
import { planBatch } from "./ingest-plan.ts";
import { createLiveState } from "./live-state.ts";
import { bareEntry } from "./settled-entry.ts";

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
