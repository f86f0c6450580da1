import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";

export interface RowWindowOptions {
  count: number;
  /** Every row has this height in pixels. */
  rowHeight: number;
  scroller: RefObject<HTMLElement | null>;
  overscan: number;
  /** Pixels of a header that stays in sight above the rows. */
  headerHeight?: number;
  keyOf?: (index: number) => string | number;
  /** A row that is drawn wherever it is, so that it does not lose the focus. */
  keptIndex?: number | undefined;
}

export interface RowWindow {
  /** The rows to draw: where each begins, and the pixels of undrawn rows right before it. */
  rows: { index: number; start: number; gapBefore: number }[];
  /** Pixels of undrawn rows after the last one. */
  gapAfter: number;
  totalHeight: number;
  scrollTo: (index: number) => void;
}

/**
 * The rows in sight of a long list. Hands out values only: the virtualizer itself changes in place, so a component that the
 * React Compiler memoizes must not hold it.
 */
export function useRowWindow({ count, rowHeight, scroller, overscan, headerHeight = 0, keyOf, keptIndex }: RowWindowOptions): RowWindow {
  // oxlint-disable-next-line react/incompatible-library -- why this hook exists
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollPaddingEnd: headerHeight,
    ...(keyOf ? { getItemKey: keyOf } : {}),
    rangeExtractor: (range) => withKept(defaultRangeExtractor(range), keptIndex, count),
  });
  const items = virtualizer.getVirtualItems();
  const totalHeight = virtualizer.getTotalSize();
  return {
    rows: items.map(({ index, start }, place) => ({ index, start, gapBefore: start - (items[place - 1]?.end ?? 0) })),
    gapAfter: totalHeight - (items.at(-1)?.end ?? 0),
    totalHeight,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  };
}

function withKept(indexes: number[], kept: number | undefined, count: number): number[] {
  if (kept === undefined || kept >= count || indexes.includes(kept)) return indexes;
  return kept < (indexes[0] ?? 0) ? [kept, ...indexes] : [...indexes, kept];
}
