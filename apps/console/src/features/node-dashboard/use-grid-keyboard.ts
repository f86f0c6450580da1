import { useState } from "react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import type { FleetRecord } from "./fleet-store.ts";

export interface GridKeyboardOptions {
  records: FleetRecord[];
  rowHeight: number;
  scroller: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onOpen: (record: FleetRecord) => void;
}

/**
 * Walks the rows of a virtual table: one row is in the tab order, the arrow keys move it, Enter opens it. The active row is
 * remembered by its node, so it stays the same node when the list reorders.
 */
export function useGridKeyboard({ records, rowHeight, scroller, scrollTo, onOpen }: GridKeyboardOptions) {
  const [activeSerial, setActiveSerial] = useState<string | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const found = activeSerial === undefined ? 0 : records.findIndex(({ serial }) => serial === activeSerial);
  const activeIndex = Math.max(0, found);

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(records.length - 1, index));
    setActiveSerial(records[target]?.serial);
    scrollTo(target);
    // The row may only now come into the page.
    requestAnimationFrame(() => requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus()));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (!row) return;
    const index = indexOf(row);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: records.length - 1 };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      moveWithin(row, event.key === "ArrowRight" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === row) {
      const record = records[index];
      if (record) onOpen(record);
    }
  }

  function onFocus(event: FocusEvent): void {
    const row = rowOf(event.target);
    if (row) setActiveSerial(records[indexOf(row)]?.serial);
    setIsFocused(row !== null);
  }

  return { activeIndex, isFocused, handlers: { onKeyDown, onFocus, onBlur: () => setIsFocused(false) } };
}

const rowOf = (target: EventTarget): HTMLElement | null => (target as HTMLElement).closest<HTMLElement>("[data-row]");
const indexOf = (row: HTMLElement): number => Number(row.dataset["row"]);

/** Left and right walk the links and buttons of a row; left of the first is the row itself. */
function moveWithin(row: HTMLElement, step: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>("a, button")];
  const current = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, current + step))]?.focus();
}
