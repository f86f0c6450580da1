import { useRef, type FocusEvent, type KeyboardEvent, type RefObject } from "react";
import { useRowFocus } from "#ui/use-row-focus.ts";
import type { TreeBranch } from "./tree-branches.ts";
import type { TreeRow } from "./tree-rows.ts";

export interface TreeKeyboardOptions {
  rows: readonly TreeRow[];
  /** The one row in the tab order. */
  activeIndex: number;
  rowHeight: number;
  scroller: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onActive: (key: string | undefined) => void;
  onFocused: (isFocused: boolean) => void;
  onToggle: (branch: TreeBranch) => void;
  /** Enter on a row that has nothing to expand. */
  onOpen: (branch: TreeBranch) => void;
}

const typingPauseMs = 700;

/** Walks a virtual tree as the tree pattern asks: arrows, Home, End, Page Up and Down, Enter, and the first letters of a name. */
export function useTreeKeyboard(options: TreeKeyboardOptions) {
  const { rows, activeIndex, rowHeight, scroller, scrollTo, onActive, onFocused, onToggle, onOpen } = options;
  const { pending, focusRow } = useRowFocus(scroller);
  const typed = useRef({ text: "", at: 0 });

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    onActive(rows[target]?.branch.key);
    scrollTo(target);
    focusRow(target);
  }

  function expandOrEnter(from: number, row: TreeRow): void {
    if (row.hasMore && !row.isExpanded) onToggle(row.branch);
    else if (row.isExpanded) moveTo(from + 1);
  }

  function collapseOrLeave(row: TreeRow): void {
    if (row.isExpanded) onToggle(row.branch);
    else if (row.branch.parent) moveTo(rows.findIndex(({ branch }) => branch === row.branch.parent));
  }

  function findTyped(from: number, letter: string, at: number): void {
    const isOngoing = at - typed.current.at < typingPauseMs;
    const text = (isOngoing ? typed.current.text : "") + letter.toLowerCase();
    typed.current = { text, at };
    // One letter goes on to the next row; more of them may still mean the same one.
    const first = text.length > 1 ? from : from + 1;
    for (let step = 0; step < rows.length; step++) {
      const index = (first + step) % rows.length;
      if (rows[index]?.branch.label.toLowerCase().startsWith(text)) return moveTo(index);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const element = event.target as HTMLElement;
    const isRow = element.dataset["row"] !== undefined;
    if (!element.closest("[data-row]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = pending.current ?? activeIndex;
    const row = rows[from];
    if (!row) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const isTyping = event.timeStamp - typed.current.at < typingPauseMs && typed.current.text !== "";
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(from + 1),
      ArrowUp: () => moveTo(from - 1),
      PageDown: () => moveTo(from + page),
      PageUp: () => moveTo(from - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
    };
    const actions: Record<string, () => void> = {
      ...moves,
      ArrowRight: () => expandOrEnter(from, row),
      ArrowLeft: () => collapseOrLeave(row),
      Enter: () => (row.hasMore ? onToggle(row.branch) : onOpen(row.branch)),
    };
    // A blank is part of a name that is being typed.
    if (event.key === " " && !isTyping) actions[" "] = () => row.hasMore && onToggle(row.branch);
    // From a button of a row, such as the one that the closed dialog gave the focus back to, one moves on too.
    const act = !isRow
      ? moves[event.key]
      : (actions[event.key] ?? (/^[\p{L}\p{N} ]$/u.test(event.key) ? () => findTyped(from, event.key, event.timeStamp) : undefined));
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function onFocus(event: FocusEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
    onFocused(row !== null);
    if (row && pending.current === undefined) onActive(rows[Number(row.dataset["row"])]?.branch.key);
  }

  return { onKeyDown, onFocus, onBlur: () => onFocused(false) };
}
