import { Kbd } from "@mantine/core";
import { memo } from "react";
import { Grid, GridRow } from "#ui/grid.tsx";
import type { GridRowPlace } from "#ui/grid.tsx";
import { editRecord } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import { columnsOf } from "./node-list-columns.tsx";
import type { NodeListCriteria, SortKey } from "./node-list-criteria.ts";
import type { NodeRecord } from "./node-list-view.ts";

export interface NodeGridProps {
  records: NodeRecord[];
  criteria: NodeListCriteria;
  onSort: (key: SortKey) => void;
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
      rowHeight={46}
      minWidth={columns.reduce((sum, { width }) => sum + (width ?? placeWidths[hasAllColumns ? "all" : "compact"]), 0)}
      sort={sort}
      isDescending={isDescending}
      onSort={onSort}
      onOpen={(record) => editRecord(record, actions)}
      renderRow={(record, place) => <NodeRow record={record} hasAllColumns={hasAllColumns} actions={actions} {...place} />}
      renderFoot={() => (
        <span aria-hidden="true">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> rows, <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> actions of a row,{" "}
          <Kbd size="xs">Enter</Kbd> edit, <Kbd size="xs">?</Kbd> all keys
        </span>
      )}
    />
  );
}

interface NodeRowProps extends GridRowPlace {
  record: NodeRecord;
  hasAllColumns: boolean;
  actions: NodeActions;
}

const NodeRow = memo(function NodeRow({ record, index, isActive, hasAllColumns, actions }: NodeRowProps) {
  return (
    <GridRow index={index} isActive={isActive}>
      {columnsOf(hasAllColumns).map(({ label, render }) => (
        <td key={label}>{render(record, actions)}</td>
      ))}
    </GridRow>
  );
});
