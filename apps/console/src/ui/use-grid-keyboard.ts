import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import { useRowFocus } from "./use-row-focus.ts";

export interface GridKeyboardOptions {
  count: number;
  /** The one row in the tab order. */
  activeIndex: number;
  rowHeight: number;
  scroller: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onActive: (index: number) => void;
  onFocused: (isFocused: boolean) => void;
  onOpen: (index: number) => void;
  /** Space on a row; with Shift all rows from the last one on. */
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
}

/** Walks the rows of a virtual table: arrows, Page Up and Down, Home and End move the active row, Enter opens it. A `data-stop` is kept. */
export function useGridKeyboard({
  count,
  activeIndex,
  rowHeight,
  scroller,
  scrollTo,
  onActive,
  onFocused,
  onOpen,
  onSelect,
}: GridKeyboardOptions) {
  const { pending, focusRow } = useRowFocus(scroller);

  function moveTo(index: number, stop: string | undefined): void {
    const target = Math.max(0, Math.min(count - 1, index));
    onActive(target);
    scrollTo(target);
    focusRow(target, stop);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (!row) return;
    const from = pending.current ?? activeIndex;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const targets: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: count - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target, (event.target as HTMLElement).dataset["stop"]);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      moveWithin(row, event.key === "ArrowRight" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === row) {
      onOpen(from);
    } else if (event.key === " " && event.target === row && onSelect) {
      event.preventDefault();
      onSelect(from, event.shiftKey);
    }
  }

  function onFocus(event: FocusEvent): void {
    const row = rowOf(event.target);
    onFocused(row !== null);
    if (row && pending.current === undefined) onActive(Number(row.dataset["row"]));
  }

  return { onKeyDown, onFocus, onBlur: () => onFocused(false) };
}

const rowOf = (target: EventTarget): HTMLElement | null => (target as HTMLElement).closest<HTMLElement>("[data-row]");

/** Left and right walk the boxes, links and buttons of a row; left of the first is the row itself. */
function moveWithin(row: HTMLElement, step: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>("a, button, input")];
  const current = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, current + step))]?.focus();
}
