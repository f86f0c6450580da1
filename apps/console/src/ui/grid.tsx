import { Fragment, useRef, useState } from "react";
import type { CSSProperties, ReactNode } from "react";
import { GapRow } from "./gap-row.tsx";
import { useRowWindow } from "./row-window.ts";
import { SortHeader } from "./sort-header.tsx";
import { useGridKeyboard } from "./use-grid-keyboard.ts";
import { useMoreSideways } from "./use-more-sideways.ts";
import "./grid.css";

export interface GridColumn<Key extends string> {
  label: string;
  /** What the column sorts by; a column without does not sort. */
  sort?: Key;
  /** Pixels; columns without share what is left. */
  width?: number;
}

/** Where a row stands; goes to its `GridRow`. */
export interface GridRowPlace {
  index: number;
  isActive: boolean;
}

export interface GridProps<Item, Key extends string> {
  /** Of the table, for who hears it. */
  label: string;
  className?: string;
  columns: readonly GridColumn<Key>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Pixels; every row has it. */
  rowHeight: number;
  /** Pixels; a narrower window scrolls sideways. */
  minWidth: number;
  sort: Key;
  isDescending: boolean;
  onSort: (key: Key) => void;
  /** Enter on a row. */
  onOpen: (item: Item) => void;
  renderRow: (item: Item, place: GridRowPlace) => ReactNode;
  /** A line below the table; `focused` is the row that has the keyboard. */
  renderFoot: (focused: Item | undefined) => ReactNode;
}

const headerHeight = 36;

/** A long table of even rows that is walked by keyboard, with only the rows in sight in the page. */
export function Grid<Item, Key extends string>(props: GridProps<Item, Key>) {
  const {
    label,
    className = "",
    columns,
    items,
    keyOf,
    rowHeight,
    minWidth,
    sort,
    isDescending,
    onSort,
    onOpen,
    renderRow,
    renderFoot,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // Remembered by its key, so that it stays the same row when the list reorders; at first it is the first.
  const [activeKey, setActiveKey] = useState<string | number | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const keyAt = (index: number) => {
    const item = items[index];
    return item === undefined ? index : keyOf(item);
  };
  const activeIndex =
    activeKey === undefined
      ? 0
      : Math.max(
          0,
          items.findIndex((item) => keyOf(item) === activeKey),
        );
  const { rows, gapAfter, scrollTo } = useRowWindow({
    count: items.length,
    rowHeight,
    scroller,
    overscan: 8,
    headerHeight,
    keyOf: keyAt,
    keptIndex: isFocused ? activeIndex : undefined,
  });
  const handlers = useGridKeyboard({
    count: items.length,
    activeIndex,
    rowHeight,
    scroller,
    scrollTo,
    onActive: (index) => setActiveKey(keyAt(index)),
    onFocused: setIsFocused,
    onOpen: (index) => {
      const item = items[index];
      if (item !== undefined) onOpen(item);
    },
  });
  const more = useMoreSideways(scroller);

  return (
    <>
      <div className="grid-scroller" ref={scroller} data-more={more}>
        <table
          className={`grid-table ${className}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the keyboard is a grid
          role="grid"
          aria-label={label}
          aria-rowcount={items.length + 1}
          style={{ minWidth, "--row-height": `${rowHeight}px` } as CSSProperties}
          {...handlers}
        >
          <colgroup>
            {columns.map((column) => (
              <col key={column.label} style={column.width === undefined ? undefined : { width: column.width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <SortHeader
                  key={column.label}
                  label={column.label}
                  {...(column.sort ? { sort: column.sort } : {})}
                  sorted={sort}
                  isDescending={isDescending}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, gapBefore }) => {
              const item = items[index];
              return (
                item !== undefined && (
                  <Fragment key={keyOf(item)}>
                    <GapRow height={gapBefore} />
                    {renderRow(item, { index, isActive: index === activeIndex })}
                  </Fragment>
                )
              );
            })}
            <GapRow height={gapAfter} />
          </tbody>
        </table>
      </div>
      <div className="grid-foot tabular no-print">{renderFoot(isFocused ? items[activeIndex] : undefined)}</div>
    </>
  );
}

/** One row of a `Grid`; its children are the cells. */
export function GridRow({ index, isActive, className = "", children }: GridRowPlace & { className?: string; children: ReactNode }) {
  return (
    <tr
      className={`grid-row${index % 2 === 1 ? " is-odd" : ""} ${className}`}
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
    >
      {children}
    </tr>
  );
}
