import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { DatafileCell } from "@busbar/console/features/telemetry/node-dashboard/datafile-cell.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell } from "@busbar/console/features/telemetry/node-dashboard/node-cells.tsx";
import type { ReactNode } from "react";

export interface GridColumn {
  field: keyof DashboardNode;
  label: string;
  flex: number;
  render(node: DashboardNode): ReactNode;
}

const ignore = () => undefined;

/** The console's own cells, for tables of others. */
export const gridColumns: GridColumn[] = [
  { field: "serialNumber", label: "Node", flex: 31, render: (node) => <NodeCell node={node} /> },
  {
    field: "lastScalarTimestamp",
    label: "Last Scalar Stream",
    flex: 38,
    render: (node) => <ScalarCell node={node} onOpenHistory={ignore} />,
  },
  { field: "lastDatafileTimestamp", label: "Last Datafile", flex: 16, render: (node) => <DatafileCell node={node} /> },
  { field: "eventCount", label: "Events", flex: 6, render: (node) => <EventsCell node={node} /> },
  { field: "meterConnected", label: "Metering", flex: 9, render: (node) => <MeteringCell node={node} /> },
];

export const rowHeight = 50;

export const searchTextOf = (node: DashboardNode): string =>
  `${node.serialNumber} ${node.customerCode} ${node.customerName} ${node.facilityName} ${node.locationName}`.toLowerCase();
