import { memo } from "react";
import { Grid, GridRow } from "#ui/grid.tsx";
import type { GridColumn, GridRowPlace } from "#ui/grid.tsx";
import { DatafileCell } from "./datafile-cell.tsx";
import type { SortKey } from "./fleet-criteria.ts";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { FocusedNodeTimes, GridKeys } from "./grid-foot.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetGridProps {
  store: FleetStore;
  records: FleetRecord[];
  sort: SortKey;
  isDescending: boolean;
  onSort: (key: SortKey) => void;
  onOpenHistory: (record: FleetRecord) => void;
}

// DSH-06. The scalar column holds 30 + 30 characters of data (DSH-08); the node column takes what is left.
export const fleetColumns: GridColumn<SortKey>[] = [
  { label: "Node", sort: "node" },
  { label: "Last Scalar Stream", sort: "scalar", width: 470 },
  { label: "Last Datafile", sort: "datafile", width: 262 },
  { label: "Events", width: 96 },
  { label: "Metering", width: 106 },
];

export function FleetGrid({ store, records, sort, isDescending, onSort, onOpenHistory }: FleetGridProps) {
  return (
    <Grid
      label="Nodes"
      columns={fleetColumns}
      items={records}
      keyOf={({ serial }) => serial}
      rowHeight={50}
      minWidth={1050}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={onOpenHistory}
      renderRow={(record, place) => <FleetRow store={store} record={record} onOpenHistory={onOpenHistory} {...place} />}
      renderFoot={(focused) => (focused ? <FocusedNodeTimes store={store} record={focused} /> : <GridKeys />)}
    />
  );
}

interface FleetRowProps extends GridRowPlace {
  store: FleetStore;
  record: FleetRecord;
  onOpenHistory: (record: FleetRecord) => void;
}

const FleetRow = memo(function FleetRow({ store, record, index, isActive, onOpenHistory }: FleetRowProps) {
  const node = useFleetNode(store, record);
  return (
    <GridRow index={index} isActive={isActive}>
      <td>
        <NodeCell node={node} />
      </td>
      <td>
        <ScalarCell node={node} onOpenHistory={() => onOpenHistory(record)} />
      </td>
      <td>
        <DatafileCell node={node} />
      </td>
      <td>
        <EventsCell node={node} />
      </td>
      <td>
        <MeteringCell node={node} />
      </td>
    </GridRow>
  );
});
