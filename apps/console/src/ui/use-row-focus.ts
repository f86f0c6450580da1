import { useRef } from "react";
import type { RefObject } from "react";

/** In which a row that was scrolled to comes into the page; on a busy machine it takes many. */
const mostFrames = 120;

/** Focuses rows of a virtual list, which come into the page only after the scroll: keys come faster than rows. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>) {
  // The row that the last key asked for, until it is in the page and has the focus.
  const pending = useRef<number | undefined>(undefined);

  function tryFocus(target: number, frames: number): void {
    // Another key has gone on since.
    if (pending.current !== target) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`);
    if (row) {
      pending.current = undefined;
      row.focus({ preventScroll: true });
    } else if (frames > 0) requestAnimationFrame(() => tryFocus(target, frames - 1));
  }

  const focusRow = (target: number): void => {
    pending.current = target;
    tryFocus(target, mostFrames);
  };
  return { pending, focusRow };
}
