import type { ReactNode } from "react";
import "./report.css";

export interface ReportColumn<Row> {
  label: string;
  /** What stands in the cell, and in the CSV file. */
  text: (row: Row) => string | number;
  /** Where the cell shows more than its text. */
  cell?: (row: Row) => ReactNode;
}

export interface ReportTableProps<Row> {
  label: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Cells of the last row. */
  total?: readonly (string | number)[];
  /** Stands below a row over its whole width. */
  detail?: (row: Row) => ReactNode;
}

/** A table that people read, print and export; on a narrow screen each row becomes a block of the same facts. */
export function ReportTable<Row>({ label, columns, rows, keyOf, total, detail }: ReportTableProps<Row>) {
  const classOf = (value: unknown) => (typeof value === "number" ? "number-cell" : undefined);
  const first = rows[0];
  return (
    <table className="report-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" className={first === undefined ? undefined : classOf(column.text(first))}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ReportRow key={keyOf(row)} columns={columns} row={row} classOf={classOf} detail={detail?.(row)} />
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>
            {columns.map((column, index) => (
              <td key={column.label} data-label={column.label} className={classOf(total[index])}>
                {total[index]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

interface ReportRowProps<Row> {
  columns: readonly ReportColumn<Row>[];
  row: Row;
  classOf: (value: unknown) => string | undefined;
  detail: ReactNode;
}

function ReportRow<Row>({ columns, row, classOf, detail }: ReportRowProps<Row>) {
  return (
    <>
      <tr>
        {columns.map(({ label, text, cell }) => {
          const value = text(row);
          return (
            <td key={label} data-label={label} className={classOf(value)}>
              {cell ? cell(row) : value}
            </td>
          );
        })}
      </tr>
      {detail && (
        <tr className="report-detail">
          <td colSpan={columns.length}>{detail}</td>
        </tr>
      )}
    </>
  );
}

/** The same rows for a CSV file, with their heading. */
export function reportLines<Row>(columns: readonly ReportColumn<Row>[], rows: readonly Row[]): (string | number)[][] {
  return [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ text }) => text(row)))];
}
