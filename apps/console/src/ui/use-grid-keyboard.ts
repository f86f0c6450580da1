import { useRef } from "react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";

/** A row is known by its serial number, wherever it stands. */
interface GridRow {
  serial: string;
}

export interface GridKeyboardOptions<Row extends GridRow> {
  records: readonly Row[];
  /** The one row in the tab order. */
  activeIndex: number;
  rowHeight: number;
  scroller: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onActive: (serial: string | undefined) => void;
  onFocused: (isFocused: boolean) => void;
  onOpen: (record: Row) => void;
}

/** Walks the rows of a virtual table: arrows, Page Up and Down, Home and End move the active row, Enter opens it. */
export function useGridKeyboard<Row extends GridRow>({
  records,
  activeIndex,
  rowHeight,
  scroller,
  scrollTo,
  onActive,
  onFocused,
  onOpen,
}: GridKeyboardOptions<Row>) {
  // The row that the last key asked for, until it is in the page and has the focus: keys come faster than rows.
  const wanted = useRef<number | undefined>(undefined);

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(records.length - 1, index));
    wanted.current = target;
    onActive(records[target]?.serial);
    scrollTo(target);
    // A row out of sight comes into the page only after the scroll.
    if (!focusWanted()) requestAnimationFrame(() => requestAnimationFrame(focusWanted));
  }

  function focusWanted(): boolean {
    const row = wanted.current === undefined ? null : scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!row) return false;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (!row) return;
    const from = wanted.current ?? activeIndex;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const targets: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: records.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      moveWithin(row, event.key === "ArrowRight" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === row) {
      const record = records[from];
      if (record) onOpen(record);
    }
  }

  function onFocus(event: FocusEvent): void {
    const row = rowOf(event.target);
    onFocused(row !== null);
    if (row && wanted.current === undefined) onActive(records[Number(row.dataset["row"])]?.serial);
  }

  return { onKeyDown, onFocus, onBlur: () => onFocused(false) };
}

const rowOf = (target: EventTarget): HTMLElement | null => (target as HTMLElement).closest<HTMLElement>("[data-row]");

/** Left and right walk the links and buttons of a row; left of the first is the row itself. */
function moveWithin(row: HTMLElement, step: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>("a, button")];
  const current = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, current + step))]?.focus();
}

/** The active row is remembered by its serial number, so it stays the same when the list reorders; at first it is the first. */
export function indexOfSerial(records: readonly GridRow[], serial: string | undefined): number {
  return serial === undefined
    ? 0
    : Math.max(
        0,
        records.findIndex((record) => record.serial === serial),
      );
}
