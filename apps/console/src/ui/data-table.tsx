import { Fragment, type ComponentProps, type ReactNode } from "react";
import { shownColumns, type Column } from "./column.ts";
import { Cells, ColumnWidths, HeadCell } from "./table-parts.tsx";
import "./data-table.css";
import "./report.css";

interface RowGroup<Item> {
  key: string;
  title: ReactNode;
  rows: readonly Item[];
}

export interface DataTableProps<Item, Row, On> extends Pick<
  ComponentProps<"table">,
  "className" | "role" | "aria-label" | "aria-busy" | "onKeyDown" | "onFocus"
> {
  columns: readonly Column<Row, On>[];
  rows?: readonly Item[];
  /** Rows under headings, in place of `rows`. */
  groups?: readonly RowGroup<Item>[];
  keyOf: (item: Item) => string | number;
  /** Given to the cells: what can be done with a row. */
  on?: On;
  /** A row that has a state of its own: draws with what becomes of the item. */
  renderLive?: (item: Item, draw: (row: Row) => ReactNode) => ReactNode;
  rowProps?: (row: Row, index: number) => ComponentProps<"tr">;
  /** Cells of the last row. */
  total?: readonly (string | number)[];
  /** Shown below a row over its whole width. */
  detail?: (row: Row) => ReactNode;
  /** Its rows are compared with each other: it stays a table on a narrow screen, where others become a block for each row. */
  isMatrix?: boolean;
  /** In that block the facts need no names. */
  isUnnamed?: boolean;
}

/** The table of everything that is listed and not long: all its rows are in the page. */
export function DataTable<Item, Row = Item, On = unknown>(props: DataTableProps<Item, Row, On>) {
  const {
    columns,
    rows = [],
    groups,
    keyOf,
    on,
    renderLive,
    rowProps,
    total,
    detail,
    isMatrix = false,
    isUnnamed = false,
    className = "",
    ...table
  } = props;
  const shown = shownColumns(columns);
  const first = renderLive ? undefined : (rows[0] as Row | undefined);
  const drawn = (items: readonly Item[]) =>
    items.map((item, index) => {
      const draw = (row: Row) => (
        <>
          <tr {...rowProps?.(row, index)}>
            <Cells columns={shown} row={row} on={on as On} />
          </tr>
          {detail && <DetailRow span={shown.length}>{detail(row)}</DetailRow>}
        </>
      );
      return <Fragment key={keyOf(item)}>{renderLive ? renderLive(item, draw) : draw(item as unknown as Row)}</Fragment>;
    });
  return (
    <table className={`data-table ${isMatrix ? "is-matrix" : "is-items"} ${isUnnamed ? "" : "is-named"} ${className}`} {...table}>
      <ColumnWidths columns={shown} />
      <thead>
        <tr>
          {shown.map((column) => (
            <HeadCell key={column.key ?? column.label} column={column} first={first} />
          ))}
        </tr>
      </thead>
      {groups ? (
        groups.map((group) => (
          <tbody key={group.key}>
            <tr>
              <th scope="rowgroup" colSpan={shown.length} className="group-head">
                {group.title}
              </th>
            </tr>
            {drawn(group.rows)}
          </tbody>
        ))
      ) : (
        <tbody>{drawn(rows)}</tbody>
      )}
      {total && (
        <tfoot>
          <tr>
            {shown.map(({ label, key = label }, index) => (
              <td key={key} data-label={label} className={typeof total[index] === "number" ? "number-cell" : undefined}>
                {total[index]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function DetailRow({ span, children }: { span: number; children: ReactNode }) {
  return children ? (
    <tr className="detail-row">
      <td colSpan={span}>{children}</td>
    </tr>
  ) : null;
}
