import { useMemo, useRef, useState } from "react";

/** Which rows of a list are chosen, by their keys. */
export interface RowSelection {
  chosen: ReadonlySet<string>;
  /** With `isRange` all from the last one that was chosen or not: they become what this one becomes. */
  toggle: (key: string, isRange: boolean) => void;
  /** Chooses exactly these. */
  choose: (keys: readonly string[]) => void;
}

/** @param keys the rows in their order; what is chosen stays so while it is not shown */
export function useRowSelection(keys: readonly string[]): RowSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  return useMemo(
    () => ({
      chosen,
      toggle(key, isRange) {
        const from = isRange && last.current !== undefined ? keys.indexOf(last.current) : -1;
        const to = keys.indexOf(key);
        const changed = new Set(from < 0 || to < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1));
        last.current = key;
        setChosen(new Set(chosen.has(key) ? [...chosen].filter((one) => !changed.has(one)) : [...chosen, ...changed]));
      },
      choose: (all) => setChosen(new Set(all)),
    }),
    [chosen, keys],
  );
}
