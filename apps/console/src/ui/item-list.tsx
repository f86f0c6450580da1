import { useRef } from "react";
import type { ReactNode } from "react";
import { useRowWindow } from "./row-window.ts";
import "./grid.css";

export interface ItemListProps<Item> {
  /** Of the list, for who hears it. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Pixels; every item has it. */
  itemHeight: number;
  classOf?: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
}

/** What a `Grid` shows, on a narrow screen: the same facts one below the other, with only the items in sight in the page. */
export function ItemList<Item>({ label, items, keyOf, itemHeight, classOf, renderItem }: ItemListProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null);
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
                {renderItem(item)}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
