import { useEffect } from "react";
import { isField } from "#ui/use-page-keys.ts";

export interface ShortcutHandlers {
  onPalette: () => void;
  /** A key went down that often begins the palette's. */
  onPaletteLikely: () => void;
  onHelp: () => void;
}

/** Ctrl K, / and ? anywhere but in a field or over an open dialog. A screen's search box marks itself with `data-search`. */
export function useShortcuts({ onPalette, onPaletteLikely, onHelp }: ShortcutHandlers): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector("[role='dialog']")) return;
      if (event.key === "Control" || event.key === "Meta") onPaletteLikely();
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      if (event.key === "?") onHelp();
      if (event.key !== "/") return;
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>("input[data-search]");
      if (search) search.focus();
      else onPalette();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onPalette, onPaletteLikely, onHelp]);
}
