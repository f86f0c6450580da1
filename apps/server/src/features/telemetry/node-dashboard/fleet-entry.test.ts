import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { expect, test } from "vitest";
import { renderLive, type FleetEntry } from "./fleet-entry.ts";

const midnight = Date.UTC(2026, 5, 10) / 1000;
const now = midnight + 36_000;
const live = {
  isConnected: true,
  lastMeterAt: now,
  lastScalarAt: now,
  missingScalarDay: "2026-06-10",
  missingScalarCount: 7,
  platformMissedScalarCount: 3,
  newestDatafileAt: now - 900,
  missingDatafileDay: "2026-06-10",
  missingDatafileCount: 5,
};

function shown(
  change: Partial<typeof live> | Record<string, unknown>,
  fields: Partial<FleetEntry> = {},
  outages: { start: number; end: number }[] = [],
) {
  const entry = {
    timezone: "UTC",
    isRetired: false,
    scalarInterval: 10,
    dataInterval: 900,
    liveJson: "",
    ...fields,
    live: { ...live, ...change },
  } as unknown as FleetEntry;
  expect([renderLive(entry, now, outages), renderLive(entry, now, outages)]).toEqual([true, false]);
  const { missingScalarStreamCount, platformMissedScalarCount, missingDatafileCount, meterConnected } = JSON.parse(
    `{${entry.liveJson}}`,
  ) as DashboardNode;
  return [missingScalarStreamCount, platformMissedScalarCount, missingDatafileCount, meterConnected];
}

test("what is missing of today is what was counted and what has not come since, until a while is over", () => {
  expect(shown({})).toEqual([7, 3, 5, true]);
  expect([shown({ lastScalarAt: now - 15 })[0], shown({ lastScalarAt: now - 16 })[0], shown({ lastScalarAt: now - 40 })[0]]).toEqual([
    7, 8, 10,
  ]);
  expect(shown({ lastScalarAt: now - 40 }, {}, [{ start: now - 40, end: now - 20 }]).slice(0, 2)).toEqual([8, 5]);
  expect([2_249, 2_250, 3_150].map((age) => shown({ newestDatafileAt: now - age })[2])).toEqual([5, 6, 7]);
  expect([30, 31].map((age) => shown({ lastMeterAt: now - age })[3])).toEqual([true, false]);
  expect(shown({ lastMeterAt: now - 15 }, { scalarInterval: 5 })[3]).toBe(true);
  expect([shown({ lastMeterAt: null })[3], shown({ isConnected: false })[3]]).toEqual([false, false]);
});

test("midnight of the place begins at zero, and a node that is retired or never sent misses nothing", () => {
  expect(shown({ missingScalarDay: "2026-06-09", missingDatafileDay: "2026-06-09" }).slice(0, 3)).toEqual([0, 0, 0]);
  expect(
    shown({ lastScalarAt: midnight - 86_400, missingScalarDay: null, newestDatafileAt: midnight - 86_400, missingDatafileDay: null }).slice(
      0,
      3,
    ),
  ).toEqual([3_599, 0, 39]);
  expect(shown({ lastScalarAt: now - 40, newestDatafileAt: now - 9_000 }, { isRetired: true }).slice(0, 3)).toEqual([0, 0, 0]);
  expect(shown({ lastScalarAt: null, newestDatafileAt: null }).slice(0, 3)).toEqual([0, 0, 0]);
});
