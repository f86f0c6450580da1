import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { ReactNode } from "react";
import { shownColumns } from "#ui/column.ts";
import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import type { RowSelection } from "#ui/use-row-selection.ts";
import { fleetColumns, usualColumns, type FleetColumn } from "./fleet-columns.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { FocusedNodeTimes } from "./grid-foot.tsx";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetGridProps {
  store: FleetStore;
  records: FleetRecord[];
  columns: readonly FleetColumn[];
  sort: string;
  isDescending: boolean;
  onSort: (key: string) => void;
  onOpenHistory: (serial: string) => void;
  /** Which rows are chosen, while some are being chosen. */
  selection: RowSelection | undefined;
  /** Space on a row. */
  onChoose: (serial: string, isRange: boolean) => void;
}

/** The usual columns fit beside the menu on a screen of 1280 pixels; others scroll anyway. */
const nodeWidths = { usual: 116, other: 260 };

export function FleetGrid({ store, records, columns, sort, isDescending, onSort, onOpenHistory, selection, onChoose }: FleetGridProps) {
  const nodeWidth = columns === usualColumns ? nodeWidths.usual : nodeWidths.other;
  return (
    <Grid
      label="Nodes"
      columns={columns}
      sortedColumns={fleetColumns}
      items={records}
      keyOf={({ serial }) => serial}
      on={{ onOpenHistory: ({ serialNumber }: DashboardNode) => onOpenHistory(serialNumber), selection }}
      renderLive={(record, draw) => (
        <FleetNode store={store} record={record}>
          {draw}
        </FleetNode>
      )}
      rowHeight={50}
      minWidth={shownColumns(columns).reduce((sum, { width = nodeWidth }) => sum + width, 0)}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={({ serial }) => onOpenHistory(serial)}
      onSelect={({ serial }, isRange) => onChoose(serial, isRange)}
      renderFoot={(focused) =>
        focused ? (
          <FocusedNodeTimes store={store} record={focused} />
        ) : (
          <GridKeys sideways="links of a row" enter="history" space="choose" />
        )
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
