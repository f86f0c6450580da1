import { shownColumns } from "#ui/column.ts";
import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { editRecord, type NodeActions } from "./node-list-cells.tsx";
import { columnsOf, nodeColumns } from "./node-list-columns.tsx";
import type { NodeListCriteria } from "./node-list-criteria.ts";
import type { NodeRecord } from "./node-record.ts";

export interface NodeGridProps {
  records: NodeRecord[];
  criteria: NodeListCriteria;
  onSort: (key: string) => void;
  actions: NodeActions;
}

/** The compact table fits beside the menu on a screen of 1440 pixels; the other one scrolls anyway. */
const placeWidths = { compact: 166, all: 280 };

export function NodeGrid({ records, criteria, onSort, actions }: NodeGridProps) {
  const { sort, isDescending } = criteria;
  const columns = columnsOf(criteria.columns);
  const { selection } = actions;
  const placeWidth = criteria.columns === "" ? placeWidths.compact : placeWidths.all;
  return (
    <Grid
      label="Nodes"
      className="node-table"
      columns={columns}
      sortedColumns={nodeColumns}
      items={records}
      keyOf={({ serial }) => serial}
      on={actions}
      rowHeight={46}
      minWidth={shownColumns(columns).reduce((sum, { width }) => sum + (width ?? placeWidth), 0)}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={(record) => editRecord(record, actions)}
      onSelect={selection && (({ serial }, isRange) => selection.toggle(serial, isRange))}
      renderFoot={() => <GridKeys sideways="actions of a row" enter="edit" {...(selection ? { space: "choose" } : {})} />}
    />
  );
}
