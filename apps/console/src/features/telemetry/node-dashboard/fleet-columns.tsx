import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { chosenColumns, type ColumnChoice } from "#ui/chosen-columns.ts";
import type { Column } from "#ui/column.ts";
import type { RowSelection } from "#ui/use-row-selection.ts";
import { DatafileCell } from "./datafile-cell.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell, VerdictLine } from "./node-cells.tsx";

export interface FleetActions {
  onOpenHistory: (node: DashboardNode) => void;
  /** Which rows are chosen, while some are being chosen. */
  selection: RowSelection | undefined;
}
export type FleetColumn = Column<DashboardNode, FleetActions>;

const timeIn = ({ timezone }: DashboardNode, timestamp: number | null) =>
  timestamp === null ? null : formatDateTime(timestamp, timezone ?? "UTC");
const placeOf = (node: DashboardNode) => [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / ");
/** Shown where it is chosen; the node's own cell says it in short. */
const more = (label: string, width: number, textOf: (node: DashboardNode) => string): FleetColumn => ({
  label,
  width,
  text: textOf,
  cell: (node) => (
    <span className="cell-text" title={textOf(node)}>
      {textOf(node)}
    </span>
  ),
});
/** Of a node at no location the words show its last known place. */
const atPlace = (label: string, width: number, name: "customerCode" | "customerName" | "facilityName" | "locationName"): FleetColumn =>
  more(label, width, (node) => (node.locationId === null ? "" : node[name]));

// DSH-06. The scalar column holds 30 + 30 characters of data (DSH-08); the node column takes what is left.
export const fleetColumns: readonly FleetColumn[] = [
  {
    label: "Node",
    sort: { key: "node" },
    text: ({ serialNumber }) => serialNumber,
    cell: (node, { selection }) => <NodeCell node={node} selection={selection} />,
    narrow: (node, { selection }) => (
      <>
        <NodeCell node={node} selection={selection} />
        <VerdictLine node={node} />
      </>
    ),
    narrowHeight: 64,
  },
  { label: "Gravity", only: "file", sort: { key: "gravity" }, text: ({ verdict }) => verdict?.gravity ?? "" },
  { ...more("Verdict", 300, ({ verdict }) => verdict?.sentence ?? ""), narrow: { in: "Node" } },
  more("Type", 90, ({ type }) => type),
  { label: "Connected", only: "file", text: ({ nodeConnected }) => (nodeConnected ? "yes" : "no") },
  { label: "Status", only: "file", text: ({ currentDeploymentStatus }) => currentDeploymentStatus },
  atPlace("Customer code", 130, "customerCode"),
  atPlace("Customer", 180, "customerName"),
  atPlace("Facility", 180, "facilityName"),
  atPlace("Location", 180, "locationName"),
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
    width: 248,
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
    width: 122,
    text: ({ meterConnected }) => (meterConnected ? "yes" : "no"),
    cell: (node) => <MeteringCell node={node} />,
    narrow: { in: "Events" },
    file: { label: "Meter connected" },
  },
];

const usualNames = ["Node", "Last Scalar Stream", "Last Datafile", "Events", "Metering"];
/** DSH-06 */
export const usualColumns: readonly FleetColumn[] = fleetColumns.filter(({ label }) => usualNames.includes(label));
export const columnsOf = (choice: ColumnChoice): readonly FleetColumn[] => chosenColumns(fleetColumns, choice, usualColumns).chosen;
