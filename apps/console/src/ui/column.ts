import type { ReactNode } from "react";

/** A column of a table, said once: what its wide row, its narrow item, its file, its search and its sort show. */
export interface Column<Row, On = unknown> {
  /** Its head, its name on a narrow screen, and its heading in a file. */
  label: string;
  /** Where two columns have one label. */
  key?: string;
  /** What is in the cell, and in a file. */
  text: (row: Row) => string | number | null;
  /** Where the cell shows more than its text; `on` is what can be done with a row. */
  cell?: (row: Row, on: On) => ReactNode;
  /** Of its cells. */
  className?: string;
  /** Aligned right, as numbers without a `cell` are by themselves. */
  isRight?: boolean;
  /** It names the row. */
  isRowHead?: boolean;
  /** The head is only heard. */
  isHeadHidden?: boolean;
  /** What a `Grid` shows as its head in place of the label, where it does not sort. */
  head?: ReactNode;
  /** CSS colour of the head. */
  headColor?: string;
  /** Pixels; columns without share what is left. */
  width?: number;
  /** What can be done with a row: last on a narrow screen. */
  isActions?: boolean;
  /** A column without does not sort. */
  sort?: ColumnSort<Row>;
  /** What the search looks at, each by the name that the search box has for it. */
  search?: Record<string, (row: Row) => string>;
  /** Of a `Grid` on a narrow screen, in place of a line with its name: its part of the item, or the column whose part says it, where that is shown. */
  narrow?: ((row: Row, on: On) => ReactNode) | { in: string };
  /** Pixels of that part, and of a cell of a `LongTable` that has its line to itself; a line where nothing is said. */
  narrowHeight?: number;
  /** Of a `LongTable` on a narrow screen: how many cells wide it is there. */
  narrowSpan?: number;
  /** Left out of a file, or of the screen. */
  only?: "screen" | "file";
  /** Where a file has another heading, or the value unrounded. */
  file?: Partial<Pick<Column<Row>, "label" | "text">>;
}

export interface ColumnSort<Row> {
  /** In the address. */
  key: string;
  /** Ascending; a live list sorts by itself. */
  compare?: (a: Row, b: Row) => number;
  /** The first click sorts descending. */
  isDescendingFirst?: boolean;
}

export const byNumber =
  <Row>(valueOf: (row: Row) => number) =>
  (a: Row, b: Row): number =>
    valueOf(a) - valueOf(b);
export const byText =
  <Row>(valueOf: (row: Row) => string) =>
  (a: Row, b: Row): number => {
    const [one, other] = [valueOf(a), valueOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };

export const sortKeysOf = <Row, On>(columns: readonly Column<Row, On>[]): string[] => columns.flatMap(({ sort }) => sort?.key ?? []);

export const sortOf = <Row, On>(columns: readonly Column<Row, On>[], key: string): ColumnSort<Row> | undefined =>
  columns.find(({ sort }) => sort?.key === key)?.sort;

/** The rows by one column; equal ones in the order of `tie`, whichever way the column is sorted. */
export function sortRows<Row, On>(
  columns: readonly Column<Row, On>[],
  rows: readonly Row[],
  order: { sort: string; isDescending: boolean },
  tie: (a: Row, b: Row) => number,
): Row[] {
  const compare = sortOf(columns, order.sort)?.compare ?? tie;
  const direction = order.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(a, b) || tie(a, b));
}

/** Everything of a row that is searched, in small letters; no two texts together make a word. */
export const searchTextOf = <Row, On>(columns: readonly Column<Row, On>[], row: Row): string =>
  columns
    .flatMap(({ search = {} }) => Object.values(search).map((textOf) => textOf(row)))
    .join("\n")
    .toLowerCase();

export const searchedNames = <Row, On>(columns: readonly Column<Row, On>[]): string[] =>
  columns.flatMap(({ search = {} }) => Object.keys(search));

/** What is in a row's cell. */
export const cellOf = <Row, On>({ cell, text }: Column<Row, On>, row: Row, on: On): ReactNode => (cell ? cell(row, on) : text(row));

/** What a column goes by; no two of a table share it. */
export const nameOf = <Row, On>({ label, key = label }: Column<Row, On>): string => key;

export const shownColumns = <Row, On>(columns: readonly Column<Row, On>[]) => columns.filter(({ only }) => only !== "file");

/** Those of them that have a part of their own in the item of a narrow screen. */
export const itemColumns = <Row, On>(columns: readonly Column<Row, On>[]) =>
  shownColumns(columns).filter(({ narrow }) => typeof narrow !== "object" || !columns.some((other) => nameOf(other) === narrow.in));

/** The rows for a CSV file, with their heading. */
export function csvLines<Row, On>(columns: readonly Column<Row, On>[], rows: readonly Row[]): (string | number | null)[][] {
  const filed = columns.filter(({ only }) => only !== "screen");
  return [
    filed.map(({ label, file }) => file?.label ?? label),
    ...rows.map((row) => filed.map(({ text, file }) => (file?.text ?? text)(row))),
  ];
}
