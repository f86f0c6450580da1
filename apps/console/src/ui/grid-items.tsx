import { memo, useRef } from "react";
import { itemColumns, type Column } from "./column.ts";
import type { GridProps } from "./grid-props.ts";
import { ItemParts } from "./item-parts.tsx";
import { useRowWindow } from "./row-window.ts";

const lineHeight = 20;
const padding = 16;

/** Pixels of an item: a line for each column that says nothing else. */
export const itemHeightOf = <Row, On>(columns: readonly Column<Row, On>[]): number =>
  itemColumns(columns).reduce((sum, { narrowHeight = lineHeight }) => sum + narrowHeight, padding);

export function GridItems<Item, Row, On>({ label, columns, items, keyOf, classOf, on, renderLive }: GridProps<Item, Row, On>) {
  const scroller = useRef<HTMLDivElement>(null);
  const itemHeight = itemHeightOf(columns);
  const { rows, totalHeight } = useRowWindow({
    count: items.length,
    rowHeight: itemHeight,
    scroller,
    overscan: 4,
    keyOf: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  return (
    <div className="grid-scroller" ref={scroller}>
      <ul className="item-list" aria-label={label} style={{ height: totalHeight }}>
        {rows.map(({ index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <li
                key={keyOf(item)}
                className={`list-item ${classOf?.(item) ?? ""}`}
                style={{ transform: `translateY(${start}px)`, height: itemHeight }}
                aria-setsize={items.length}
                aria-posinset={index + 1}
              >
                <ItemLines item={item} columns={columns} on={on} renderLive={renderLive} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

interface ItemLinesProps<Item, Row, On> extends Pick<GridProps<Item, Row, On>, "columns" | "on"> {
  item: Item;
  renderLive: GridProps<Item, Row, On>["renderLive"];
}

function ItemLinesOf<Item, Row, On>({ item, columns, on, renderLive }: ItemLinesProps<Item, Row, On>) {
  const draw = (row: Row) => <ItemParts columns={columns} row={row} on={on} />;
  return renderLive ? renderLive(item, draw) : draw(item as unknown as Row);
}
const ItemLines = memo(ItemLinesOf) as typeof ItemLinesOf;
