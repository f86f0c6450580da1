import { GridItems } from "./grid-items.tsx";
import type { GridProps } from "./grid-props.ts";
import { GridTable } from "./grid-table.tsx";
import { SortSelect } from "./sort-select.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import "./grid.css";

/** A long list that is sorted: a table that is walked by keyboard, on a narrow screen a list of items. Only what is in sight is in the page. */
export function Grid<Item, Row = Item, On = undefined>(props: GridProps<Item, Row, On>) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <GridTable {...props} />;
  const { columns, sortedColumns = columns, sort, isDescending, onSort } = props;
  return (
    <>
      <SortSelect columns={sortedColumns} sort={sort} isDescending={isDescending} onSort={onSort} />
      <GridItems {...props} />
    </>
  );
}
