import type { TimeSpan } from "./zone-time.ts";

/** What all plots of a page show: they move together, outside of React, so that a drag costs no rendering. */
export interface PlotState {
  span: TimeSpan;
  /** Epoch seconds. */
  cursor: number | undefined;
  /** What is being marked to be zoomed to. */
  selection: TimeSpan | undefined;
  /** Someone moves it at the moment: time that goes on does not. */
  isHeld: boolean;
}

export interface PlotView {
  get: () => PlotState;
  set: (part: Partial<PlotState>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createPlotView(span: TimeSpan): PlotView {
  let state: PlotState = { span, cursor: undefined, selection: undefined, isHeld: false };
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(part) {
      state = { ...state, ...part };
      for (const each of listeners) each();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
