import { useRef, type RefObject } from "react";

/** In which a row that was scrolled to comes into the page; on a busy machine it takes many. */
const mostFrames = 120;

/** Focuses rows of a virtual list, which come into the page only after the scroll: keys come faster than rows. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>) {
  // The row that the last key asked for, until it is in the page and has the focus.
  const pending = useRef<number | undefined>(undefined);

  function tryFocus(target: number, stop: string | undefined, frames: number): void {
    // Another key has gone on since.
    if (pending.current !== target) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`);
    if (row) {
      pending.current = undefined;
      const sameStop = stop === undefined ? null : row.querySelector<HTMLElement>(`[data-stop="${stop}"]`);
      (sameStop ?? row).focus({ preventScroll: true });
    } else if (frames > 0) requestAnimationFrame(() => tryFocus(target, stop, frames - 1));
  }

  /** @param stop `data-stop` of what gets the focus in that row, if it has it. */
  const focusRow = (target: number, stop?: string): void => {
    pending.current = target;
    tryFocus(target, stop, mostFrames);
  };
  return { pending, focusRow };
}
