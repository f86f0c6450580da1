import { csvOf, downloadFile } from "#lib/download.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { FleetRecord } from "./fleet-store.ts";

const header = [
  "Node",
  "Type",
  "Connected",
  "Status",
  "Customer code",
  "Customer",
  "Facility",
  "Location",
  "Last known place",
  "Last scalar",
  "Last scalar data",
  "Oldest value",
  "Skipped today",
  "Missed today while the platform was away",
  "Last datafile",
  "Events",
  "Meter connected",
];

/** The rows as they are shown, as a file. */
export function exportFleet(records: readonly FleetRecord[]): void {
  const rows = records.map(({ node }) => {
    const time = (timestamp: number | null) => (timestamp === null ? null : formatDateTime(timestamp, node.timezone ?? "UTC"));
    return [
      node.serialNumber,
      node.type,
      node.nodeConnected ? "yes" : "no",
      node.currentDeploymentStatus,
      ...(node.locationId === null
        ? ["", "", "", "", [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / ")]
        : [node.customerCode, node.customerName, node.facilityName, node.locationName, ""]),
      time(node.lastScalarTimestamp),
      node.lastScalarData,
      time(node.oldestValueTimestamp),
      node.missingScalarStreamCount,
      node.platformMissedScalarCount,
      time(node.lastDatafileTimestamp),
      node.eventCount,
      node.meterConnected ? "yes" : "no",
    ];
  });
  downloadFile("nodes.csv", csvOf([header, ...rows]));
}
