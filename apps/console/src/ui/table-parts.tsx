import type { CSSProperties } from "react";
import { cellOf, type Column } from "./column.ts";

/** A number is at the right; a cell that shows more than its text does so where the column says it. */
const alignmentOf = <Row, On>({ isRight, cell, text }: Column<Row, On>, row: Row | undefined): string | undefined =>
  isRight || (!cell && row !== undefined && typeof text(row) === "number") ? "number-cell" : undefined;

export interface HeadCellProps<Row, On> {
  column: Column<Row, On>;
  /** Whose cells say how the column is aligned. */
  first: Row | undefined;
}

export function HeadCell<Row, On>({ column, first }: HeadCellProps<Row, On>) {
  const { label, isHeadHidden, headColor } = column;
  return (
    <th scope="col" className={alignmentOf(column, first)} style={headColor === undefined ? undefined : { color: headColor }}>
      {isHeadHidden ? <span className="visually-hidden">{label}</span> : label}
    </th>
  );
}

export interface CellsProps<Row, On> {
  /** Those that are shown. */
  columns: readonly Column<Row, On>[];
  row: Row;
  on: On;
}

/** The cells of one row. */
export function Cells<Row, On>({ columns, row, on }: CellsProps<Row, On>) {
  return columns.map((column) => {
    const { label, key = label, className = "", isRowHead, isHeadHidden, narrowSpan } = column;
    const content = cellOf(column, row, on);
    const names = `${className} ${alignmentOf(column, row) ?? ""}`.trim() || undefined;
    return isRowHead ? (
      <th key={key} scope="row" className={names}>
        {content}
      </th>
    ) : (
      <td
        key={key}
        data-label={isHeadHidden ? undefined : label}
        className={names}
        style={narrowSpan === undefined ? undefined : ({ "--narrow-span": narrowSpan } as CSSProperties)}
      >
        {content}
      </td>
    );
  });
}

export function ColumnWidths<Row, On>({ columns }: { columns: readonly Column<Row, On>[] }) {
  return (
    <colgroup>
      {columns.map(({ label, key = label, width }) => (
        <col key={key} style={width === undefined ? undefined : { width }} />
      ))}
    </colgroup>
  );
}
