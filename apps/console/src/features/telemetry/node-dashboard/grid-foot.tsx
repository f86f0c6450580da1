import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { useFleetNode } from "./use-fleet.ts";

/** What a pointer reads from a tooltip, for the row that the keyboard is on: its last scalar in UTC and in the reader's time. */
export function FocusedNodeTimes({ store, record }: { store: FleetStore; record: FleetRecord }) {
  const { serialNumber, lastScalarTimestamp } = useFleetNode(store, record);
  if (lastScalarTimestamp === null) return <>{serialNumber}: no scalar yet</>;
  return (
    <>
      {serialNumber}: last scalar {formatDateTime(lastScalarTimestamp, "UTC")}, {formatDateTime(lastScalarTimestamp)} ({viewerTimezone()},
      yours)
    </>
  );
}
