import { useVirtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";

export interface RowWindowOptions {
  count: number;
  /** Every row has this height in pixels. */
  rowHeight: number;
  scroller: RefObject<HTMLElement | null>;
  overscan: number;
  keyOf?: (index: number) => string | number;
}

export interface RowWindow {
  /** The rows to draw, with where each begins. */
  rows: { index: number; start: number }[];
  /** Pixels of rows that stand above and below them, undrawn. */
  above: number;
  below: number;
  totalHeight: number;
  scrollTo: (index: number) => void;
}

/**
 * The rows in sight of a long list. Hands out values only: the virtualizer itself changes in place, so a component that the
 * React Compiler memoizes must not hold it.
 */
export function useRowWindow({ count, rowHeight, scroller, overscan, keyOf }: RowWindowOptions): RowWindow {
  // oxlint-disable-next-line react/incompatible-library -- why this hook exists
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    ...(keyOf ? { getItemKey: keyOf } : {}),
  });
  const rows = virtualizer.getVirtualItems();
  const totalHeight = virtualizer.getTotalSize();
  return { rows, above: rows[0]?.start ?? 0, below: totalHeight - (rows.at(-1)?.end ?? 0), totalHeight, scrollTo: (index) => virtualizer.scrollToIndex(index) };
}
