import type { FocusEvent, KeyboardEvent, RefObject } from "react";

/** Arrow keys move between the rows of a table, Enter follows the row's first link; one row is in the tab order. */
export function useRowKeys(scroller: RefObject<HTMLElement | null>) {
  const rowsOf = () => [...(scroller.current?.querySelectorAll<HTMLTableRowElement>("tbody tr") ?? [])];
  const moves: Record<string, (index: number, last: number) => number> = {
    ArrowDown: (index, last) => Math.min(index + 1, last),
    ArrowUp: (index) => Math.max(index - 1, 0),
    PageDown: (index, last) => Math.min(index + 10, last),
    PageUp: (index) => Math.max(index - 10, 0),
    Home: () => 0,
    End: (_index, last) => last,
  };
  return {
    onKeyDown(event: KeyboardEvent) {
      const rows = rowsOf();
      const index = rows.findIndex((row) => row.contains(document.activeElement));
      const move = moves[event.key];
      if (index < 0) return;
      if (move) {
        event.preventDefault();
        rows[move(index, rows.length - 1)]?.focus();
      } else if (event.key === "Enter" && document.activeElement === rows[index]) rows[index]?.querySelector("a")?.click();
    },
    onFocus({ target }: FocusEvent) {
      const focused = target.closest("tbody tr");
      if (focused) for (const row of rowsOf()) row.tabIndex = row === focused ? 0 : -1;
    },
  };
}
