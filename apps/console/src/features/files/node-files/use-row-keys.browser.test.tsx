import { useRef } from "react";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { useRowKeys } from "./use-row-keys.ts";

const opened: number[] = [];
const columns: readonly Column<number>[] = [
  {
    label: "File",
    text: (row) => row,
    cell: (row) => (
      <>
        <a href="#/" onClick={(event) => (event.preventDefault(), opened.push(row))}>
          {row}
        </a>
        <button>copy</button>
      </>
    ),
  },
];
function Rows({ count }: { count: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useRowKeys(scroller);
  return (
    <div ref={scroller}>
      <DataTable
        {...keys}
        columns={columns}
        rows={Array.from({ length: count }, (_, row) => row)}
        keyOf={(row) => row}
        rowProps={(row) => ({ tabIndex: row === 0 ? 0 : -1 })}
      />
    </div>
  );
}

test("files are walked by keyboard, within the table; Enter opens the row, and one row is in the tab order", async () => {
  await render(<Rows count={25} />);
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  rows[0]!.focus();
  for (const [keys, at] of [
    ["{ArrowDown}{ArrowDown}", 2],
    ["{ArrowUp}{ArrowUp}{ArrowUp}", 0],
    ["{PageDown}", 10],
    ["{PageDown}{PageDown}", 24],
    ["{ArrowDown}", 24],
    ["{PageUp}", 14],
    ["{PageUp}{PageUp}", 0],
    ["{End}", 24],
    ["{Home}", 0],
    ["x", 0],
  ] as const) {
    await userEvent.keyboard(keys);
    expect([keys, rows.indexOf(document.activeElement as HTMLTableRowElement)]).toEqual([keys, at]);
    expect(rows.flatMap(({ tabIndex }, row) => (tabIndex === 0 ? [row] : []))).toEqual([at]);
  }
  await userEvent.keyboard("{ArrowDown}{Enter}");
  // A button of a row has keys of its own.
  rows[1]!.querySelector("button")!.focus();
  await userEvent.keyboard("{Enter}");
  expect(opened).toEqual([1]);
});
