import type { ReactNode } from "react";

/** A column of a table, said once: what its wide row, its narrow item, its file, its search and its sort show. */
export interface Column<Row, On = unknown> {
  /** Its head, its name on a narrow screen, and its heading in a file. */
  label: string;
  /** Where two columns have one label. */
  key?: string;
  /** What stands in the cell, and in a file. */
  text: (row: Row) => string | number | null;
  /** Where the cell shows more than its text; `on` is what can be done with a row. */
  cell?: (row: Row, on: On) => ReactNode;
  /** Of its cells. */
  className?: string;
  /** Numbers are aligned right by themselves. */
  isRight?: boolean;
  /** It names the row. */
  isRowHead?: boolean;
  /** The head is only heard. */
  isHeadHidden?: boolean;
  /** CSS colour of the head. */
  headColor?: string;
  /** Pixels; columns without share what is left. */
  width?: number;
  /** Of a `LongTable` on a narrow screen: how many cells wide it is there. */
  narrowSpan?: number;
  /** Left out of a file, or of the screen. */
  only?: "screen" | "file";
  /** Where a file has another heading, or the value unrounded. */
  file?: Partial<Pick<Column<Row>, "label" | "text">>;
}

/** What stands in a row's cell. */
export const cellOf = <Row, On>({ cell, text }: Column<Row, On>, row: Row, on: On): ReactNode => (cell ? cell(row, on) : text(row));

export const shownColumns = <Row, On>(columns: readonly Column<Row, On>[]) => columns.filter(({ only }) => only !== "file");

/** The rows for a CSV file, with their heading. */
export function csvLines<Row, On>(columns: readonly Column<Row, On>[], rows: readonly Row[]): (string | number | null)[][] {
  const filed = columns.filter(({ only }) => only !== "screen");
  return [
    filed.map(({ label, file }) => file?.label ?? label),
    ...rows.map((row) => filed.map(({ text, file }) => (file?.text ?? text)(row))),
  ];
}
