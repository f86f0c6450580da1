import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { ReactNode } from "react";
import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { fleetColumns } from "./fleet-columns.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { FocusedNodeTimes } from "./grid-foot.tsx";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetGridProps {
  store: FleetStore;
  records: FleetRecord[];
  sort: string;
  isDescending: boolean;
  onSort: (key: string) => void;
  onOpenHistory: (serial: string) => void;
}

export function FleetGrid({ store, records, sort, isDescending, onSort, onOpenHistory }: FleetGridProps) {
  return (
    <Grid
      label="Nodes"
      columns={fleetColumns}
      items={records}
      keyOf={({ serial }) => serial}
      on={{ onOpenHistory: ({ serialNumber }: DashboardNode) => onOpenHistory(serialNumber) }}
      renderLive={(record, draw) => (
        <FleetNode store={store} record={record}>
          {draw}
        </FleetNode>
      )}
      rowHeight={50}
      minWidth={1050}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={({ serial }) => onOpenHistory(serial)}
      renderFoot={(focused) =>
        focused ? <FocusedNodeTimes store={store} record={focused} /> : <GridKeys sideways="links of a row" enter="history" />
      }
    />
  );
}

interface FleetNodeProps {
  store: FleetStore;
  record: FleetRecord;
  children: (node: DashboardNode) => ReactNode;
}

/** Draws one node again whenever its values change, and no other. */
function FleetNode({ store, record, children }: FleetNodeProps) {
  return children(useFleetNode(store, record));
}
