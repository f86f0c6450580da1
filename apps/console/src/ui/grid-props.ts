import type { ReactNode } from "react";
import type { Column } from "./column.ts";

export interface GridProps<Item, Row, On> {
  /** Of the table, for who hears it. */
  label: string;
  className?: string;
  columns: readonly Column<Row, On>[];
  /** Where some are hidden, all by which it is sorted. */
  sortedColumns?: readonly Column<Row, On>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Given to the cells: what can be done with a row. */
  on: On;
  /** A row that changes by itself: draws with what becomes of the item. */
  renderLive?: (item: Item, draw: (row: Row) => ReactNode) => ReactNode;
  classOf?: (item: Item) => string;
  /** Pixels; every row has it. */
  rowHeight: number;
  /** Pixels; a narrower window scrolls sideways. */
  minWidth: number;
  sort: string;
  isDescending: boolean;
  onSort: (key: string) => void;
  /** Enter on a row. */
  onOpen: (item: Item) => void;
  /** Space on a row; with Shift all rows from the last one on. */
  onSelect?: ((item: Item, isRange: boolean) => void) | undefined;
  /** A line below the table; `focused` is the row that has the keyboard. */
  renderFoot: (focused: Item | undefined) => ReactNode;
}
