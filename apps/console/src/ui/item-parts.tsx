import { Fragment } from "react";
import { cellOf, itemColumns, nameOf, type Column } from "./column.ts";

export interface ItemPartsProps<Row, On> {
  columns: readonly Column<Row, On>[];
  row: Row;
  on: On;
}

/** What the columns show of a row on a narrow screen, what can be done with it at the end. */
export function ItemParts<Row, On>({ columns, row, on }: ItemPartsProps<Row, On>) {
  const shown = itemColumns(columns);
  return [...shown.filter(({ isActions }) => !isActions), ...shown.filter(({ isActions }) => isActions)].map((column) => (
    <Fragment key={nameOf(column)}>{partOf(column, row, on)}</Fragment>
  ));
}

function partOf<Row, On>(column: Column<Row, On>, row: Row, on: On) {
  const { label, narrow } = column;
  if (typeof narrow === "function") return narrow(row, on);
  return (
    <div className="cell-line">
      <span className="dim">{label}</span>
      {cellOf(column, row, on)}
    </div>
  );
}
