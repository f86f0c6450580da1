import { Fragment, memo, useRef, useState, type CSSProperties } from "react";
import { nameOf, shownColumns } from "./column.ts";
import { GapRow } from "./gap-row.tsx";
import type { GridProps } from "./grid-props.ts";
import { RowTab } from "./row-tab.ts";
import { useRowWindow } from "./row-window.ts";
import { SortHeader } from "./sort-header.tsx";
import { Cells, ColumnWidths } from "./table-parts.tsx";
import { useGridKeyboard } from "./use-grid-keyboard.ts";
import { useMoreSideways } from "./use-more-sideways.ts";

const headerHeight = 36;

export function GridTable<Item, Row, On>(props: GridProps<Item, Row, On>) {
  const {
    label,
    className = "",
    columns,
    items,
    keyOf,
    on,
    renderLive,
    classOf,
    rowHeight,
    minWidth,
    sort,
    isDescending,
    onSort,
    onOpen,
    onSelect,
    renderFoot,
  } = props;
  const shown = shownColumns(columns);
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
    onSelect:
      onSelect &&
      ((index, isRange) => {
        const item = items[index];
        if (item !== undefined) onSelect(item, isRange);
      }),
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
          <ColumnWidths columns={shown} />
          <thead>
            <tr aria-rowindex={1}>
              {shown.map((column) => (
                <SortHeader
                  key={nameOf(column)}
                  label={column.label}
                  head={column.isHeadHidden ? <span className="visually-hidden">{column.label}</span> : column.head}
                  sort={column.sort?.key}
                  sorted={sort}
                  isDescending={isDescending}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <RowTab value={-1}>
            <tbody>
              {rows.map(({ index, gapBefore }) => {
                const item = items[index];
                return (
                  item !== undefined && (
                    <Fragment key={keyOf(item)}>
                      <GapRow height={gapBefore} />
                      <GridRow
                        item={item}
                        index={index}
                        isActive={index === activeIndex}
                        className={classOf?.(item) ?? ""}
                        columns={shown}
                        on={on}
                        renderLive={renderLive}
                      />
                    </Fragment>
                  )
                );
              })}
              <GapRow height={gapAfter} />
            </tbody>
          </RowTab>
        </table>
      </div>
      <div className="grid-foot tabular no-print">{renderFoot(isFocused ? items[activeIndex] : undefined)}</div>
    </>
  );
}

interface GridRowProps<Item, Row, On> extends Pick<GridProps<Item, Row, On>, "columns" | "on"> {
  item: Item;
  index: number;
  isActive: boolean;
  className: string;
  renderLive: GridProps<Item, Row, On>["renderLive"];
}

function GridRowOf<Item, Row, On>({ item, index, isActive, className, columns, on, renderLive }: GridRowProps<Item, Row, On>) {
  const draw = (row: Row) => (
    <tr
      className={`grid-row${index % 2 === 1 ? " is-odd" : ""} ${className}`}
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
    >
      <Cells columns={columns} row={row} on={on} />
    </tr>
  );
  return renderLive ? renderLive(item, draw) : draw(item as unknown as Row);
}
const GridRow = memo(GridRowOf) as typeof GridRowOf;
