import { shownColumns } from "#ui/column.ts";
import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { editRecord } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import { columnsOf } from "./node-list-columns.tsx";
import type { NodeListCriteria } from "./node-list-criteria.ts";
import type { NodeRecord } from "./node-record.ts";

export interface NodeGridProps {
  records: NodeRecord[];
  criteria: NodeListCriteria;
  onSort: (key: string) => void;
  actions: NodeActions;
}

/** The compact table fits beside the menu on a screen of 1440 pixels; the other one scrolls anyway. */
const placeWidths = { compact: 180, all: 280 };

export function NodeGrid({ records, criteria, onSort, actions }: NodeGridProps) {
  const { sort, isDescending, hasAllColumns } = criteria;
  const columns = columnsOf(hasAllColumns);
  return (
    <Grid
      label="Nodes"
      className="node-table"
      columns={columns}
      items={records}
      keyOf={({ serial }) => serial}
      on={actions}
      rowHeight={46}
      minWidth={shownColumns(columns).reduce((sum, { width }) => sum + (width ?? placeWidths[hasAllColumns ? "all" : "compact"]), 0)}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={(record) => editRecord(record, actions)}
      renderFoot={() => <GridKeys sideways="actions of a row" enter="edit" />}
    />
  );
}
