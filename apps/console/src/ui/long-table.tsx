import { useRef, type CSSProperties } from "react";
import { shownColumns, type Column } from "./column.ts";
import { GapRow } from "./gap-row.tsx";
import { useRowWindow } from "./row-window.ts";
import { Cells, ColumnWidths, HeadCell } from "./table-parts.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import "./long-table.css";

export interface LongTableProps<Row> {
  /** Of the region that scrolls, for who hears it. */
  label: string;
  className?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Pixels; every row has it. */
  rowHeight: number;
  /** On a narrow screen a row becomes lines of so many cells; without, it stays a table that scrolls sideways. */
  narrowCells?: number;
  /** Shown in such a row in place of all cells but the first. */
  note?: (row: Row) => string | undefined;
}

const narrowLineHeight = 26;
const narrowPadding = 14;

/** A table of many rows that are read, not opened: only those in sight are in the page. */
export function LongTable<Row>({ label, className = "", columns, rows, keyOf, rowHeight, narrowCells, note }: LongTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const shown = shownColumns(columns);
  const height = isNarrow && narrowCells !== undefined ? narrowHeight(shown, narrowCells) : rowHeight;
  const { rows: inSight, gapAfter } = useRowWindow({ count: rows.length, rowHeight: height, scroller, overscan: 10 });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className={`long-scroller ${className}`} ref={scroller} tabIndex={0} aria-label={label}>
      <table
        className={narrowCells === undefined ? "long-table" : "long-table is-folding"}
        aria-rowcount={rows.length + 1}
        style={{ "--row-height": `${height}px`, "--narrow-cells": narrowCells } as CSSProperties}
      >
        <ColumnWidths columns={shown} />
        <thead>
          <tr>
            {shown.map((column) => (
              <HeadCell key={column.key ?? column.label} column={column} first={rows[0]} />
            ))}
          </tr>
        </thead>
        <tbody>
          <GapRow height={inSight[0]?.gapBefore ?? 0} />
          {inSight.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const words = note?.(row);
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2} className={words === undefined ? undefined : "long-note"}>
                <Cells columns={words === undefined ? shown : shown.slice(0, 1)} row={row} on={undefined} />
                {words !== undefined && (
                  <td colSpan={shown.length - 1} title={words}>
                    {words}
                  </td>
                )}
              </tr>
            );
          })}
          <GapRow height={gapAfter} />
        </tbody>
      </table>
    </section>
  );
}

/** Pixels of the lines that the cells of a row fill, one after the other. */
export function narrowHeight<Row>(columns: readonly Column<Row>[], narrowCells: number): number {
  let line = 1;
  let filled = 0;
  let more = 0;
  for (const { narrowSpan = 1, narrowHeight: height = narrowLineHeight } of shownColumns(columns)) {
    more += height - narrowLineHeight;
    if (filled + narrowSpan > narrowCells) {
      line += 1;
      filled = 0;
    }
    filled += narrowSpan;
  }
  return line * narrowLineHeight + more + narrowPadding;
}
