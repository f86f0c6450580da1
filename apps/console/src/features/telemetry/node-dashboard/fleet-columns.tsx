import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DatafileCell } from "./datafile-cell.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell, VerdictLine } from "./node-cells.tsx";

export type FleetColumn = Column<DashboardNode, { onOpenHistory: (node: DashboardNode) => void }>;

const timeIn = ({ timezone }: DashboardNode, timestamp: number | null) =>
  timestamp === null ? null : formatDateTime(timestamp, timezone ?? "UTC");
const placeOf = (node: DashboardNode) => [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / ");
/** Of a node at no location the words show its last known place. */
const atPlace = (label: string, name: "customerCode" | "customerName" | "facilityName" | "locationName"): FleetColumn => ({
  label,
  only: "file",
  text: (node) => (node.locationId === null ? "" : node[name]),
});

// DSH-06. The scalar column holds 30 + 30 characters of data (DSH-08); the node column takes what is left.
export const fleetColumns: readonly FleetColumn[] = [
  {
    label: "Node",
    sort: { key: "node" },
    text: ({ serialNumber }) => serialNumber,
    cell: (node) => <NodeCell node={node} />,
    narrow: (node) => (
      <>
        <NodeCell node={node} />
        <VerdictLine node={node} />
      </>
    ),
    narrowHeight: 64,
  },
  { label: "Gravity", only: "file", sort: { key: "gravity" }, text: ({ verdict }) => verdict?.gravity ?? "" },
  { label: "Verdict", only: "file", text: ({ verdict }) => verdict?.sentence ?? "" },
  { label: "Type", only: "file", text: ({ type }) => type },
  { label: "Connected", only: "file", text: ({ nodeConnected }) => (nodeConnected ? "yes" : "no") },
  { label: "Status", only: "file", text: ({ currentDeploymentStatus }) => currentDeploymentStatus },
  atPlace("Customer code", "customerCode"),
  atPlace("Customer", "customerName"),
  atPlace("Facility", "facilityName"),
  atPlace("Location", "locationName"),
  { label: "Last known place", only: "file", text: (node) => (node.locationId === null ? placeOf(node) : "") },
  {
    label: "Last Scalar Stream",
    sort: { key: "scalar" },
    width: 470,
    text: (node) => timeIn(node, node.lastScalarTimestamp),
    cell: (node, { onOpenHistory }) => <ScalarCell node={node} onOpenHistory={() => onOpenHistory(node)} />,
    narrow: (node, { onOpenHistory }) => <ScalarCell node={node} onOpenHistory={() => onOpenHistory(node)} />,
    narrowHeight: 69,
    file: { label: "Last scalar" },
  },
  { label: "Last scalar data", only: "file", text: ({ lastScalarData }) => lastScalarData },
  { label: "Oldest value", only: "file", text: (node) => timeIn(node, node.oldestValueTimestamp) },
  { label: "Skipped today", only: "file", text: ({ missingScalarStreamCount }) => missingScalarStreamCount },
  {
    label: "Missed today while the platform was away",
    only: "file",
    text: ({ platformMissedScalarCount }) => platformMissedScalarCount,
  },
  {
    label: "Last Datafile",
    sort: { key: "datafile" },
    width: 262,
    text: (node) => timeIn(node, node.lastDatafileTimestamp),
    cell: (node) => <DatafileCell node={node} />,
    narrow: (node) => <DatafileCell node={node} />,
    narrowHeight: 38,
    file: { label: "Last datafile" },
  },
  {
    label: "Events",
    width: 96,
    text: ({ eventCount }) => eventCount,
    cell: (node) => <EventsCell node={node} />,
    narrow: (node) => (
      <div className="cell-line item-foot">
        <span>
          <span className="dim">Events </span>
          <EventsCell node={node} />
        </span>
        <MeteringCell node={node} />
      </div>
    ),
  },
  {
    label: "Metering",
    width: 106,
    text: ({ meterConnected }) => (meterConnected ? "yes" : "no"),
    cell: (node) => <MeteringCell node={node} />,
    narrow: "in another",
    file: { label: "Meter connected" },
  },
];
