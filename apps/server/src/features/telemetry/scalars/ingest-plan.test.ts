import { allPhases } from "@busbar/metering/phases.ts";
import { expect, test } from "vitest";
import { planBatch } from "./ingest-plan.ts";
import { createLiveState } from "./live-state.ts";
import { bareEntry } from "./settled-entry.ts";

const entryOf = (serial: number) => {
  const subject = createLiveState({
    serial,
    timezone: "UTC",
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
  });
  return { ...bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: 1, settle: () => undefined }, serial, []), subject };
};

test("live rows are written in the order of their nodes, however their messages came: no two writers wait for each other", () => {
  const plan = planBatch([30, 10, 20, 10].map(entryOf), []);
  expect(plan.live.map(({ state }) => state.serial)).toEqual([10, 20, 30]);
});
