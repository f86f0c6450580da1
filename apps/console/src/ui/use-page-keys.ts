import { useEffect, useRef } from "react";

/** Someone writes there: keys of the page are letters. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** Keys of a screen by themselves, but not in a field or below a dialog. */
export function usePageKeys(keys: Record<string, (() => void) | undefined>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("[role='dialog']") || isField(event.target)) return;
      current.current[event.key.toLowerCase()]?.();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
