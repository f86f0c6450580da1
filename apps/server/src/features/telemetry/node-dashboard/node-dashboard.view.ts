import type { DashboardNode, liveDashboardFields } from "@busbar/contract/telemetry/node-dashboard.ts";
import { wholeSeconds } from "#lib/whole-seconds.ts";
import type { LiveRow } from "./fleet.read-model.ts";

type LiveField = (typeof liveDashboardFields)[number];

/** Values that the clock moves, not the database. */
export interface TimedValues {
  missingScalarStreamCount: number;
  platformMissedScalarCount: number;
  missingDatafileCount: number;
  meterConnected: boolean;
}

export function presentLive(row: LiveRow, timed: TimedValues): Pick<DashboardNode, LiveField> {
  return {
    nodeConnected: row.isConnected,
    hasConnected: row.hasConnected,
    lastScalarTimestamp: wholeSeconds(row.lastScalarAt),
    lastScalarData: row.lastScalarData,
    oldestValueTimestamp: wholeSeconds(row.oldestValueAt ?? row.lastScalarAt),
    missingScalarStreamCount: timed.missingScalarStreamCount,
    platformMissedScalarCount: timed.platformMissedScalarCount,
    voltaSensor: row.isSensorOk,
    lastOneSecondFileTimestamp: wholeSeconds(row.lastOneSecondFileAt),
    lastDatafileTimestamp: wholeSeconds(row.lastDatafileAt),
    missingDatafileCount: timed.missingDatafileCount,
    lastExternalFileTimestamp: wholeSeconds(row.lastExternalFileAt),
    eventCount: row.eventCount,
    meterConnected: timed.meterConnected,
  };
}
