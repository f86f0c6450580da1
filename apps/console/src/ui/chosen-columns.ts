import { nameOf, shownColumns, type Column } from "./column.ts";

/** Columns as an address has them: their names, `all`, or nothing for the usual ones. */
export type ColumnChoice = string;

/** The columns that a choice names, always with the first one, which says what a row is; and its names of which there is no column. */
export function chosenColumns<Row, On>(
  columns: readonly Column<Row, On>[],
  choice: ColumnChoice,
  usual: readonly Column<Row, On>[] = columns,
): { chosen: readonly Column<Row, On>[]; unknown: string[] } {
  if (choice === "all") return { chosen: columns, unknown: [] };
  const names = choice.split(",").filter(Boolean);
  const unknown = names.filter((name) => !columns.some((column) => nameOf(column) === name));
  if (unknown.length === names.length) return { chosen: usual, unknown };
  return { chosen: columns.filter((column, index) => index === 0 || names.includes(nameOf(column))), unknown };
}

/** The choice with one of its columns shown or hidden. */
export function toggleColumn<Row, On>(
  columns: readonly Column<Row, On>[],
  choice: ColumnChoice,
  toggled: Column<Row, On>,
  usual: readonly Column<Row, On>[] = columns,
): ColumnChoice {
  const { chosen } = chosenColumns(columns, choice, usual);
  const next = shownColumns(columns).filter((column) => (column === toggled) !== chosen.includes(column));
  const isSame = (others: readonly Column<Row, On>[]) => next.map(nameOf).join() === shownColumns(others).map(nameOf).join();
  return isSame(usual) ? "" : isSame(columns) ? "all" : next.map(nameOf).join(",");
}
