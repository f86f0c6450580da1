export interface LoadObservation {
  lcpMs: number;
  blockingMs: number;
  layoutShift: number;
  shownMs: number;
}

/** What the page is observed with. */
export interface LoadObserver extends LoadObservation {
  /** Lets timers of seconds go, which are held until the page is shown. */
  releaseLater(): void;
}

interface Timers {
  setTimeout: (run: () => void, ms?: number) => number;
  clearTimeout: (id?: number) => void;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Runs in the page before anything else of it; must not use anything outside itself. */
export function observeLoad(): void {
  const observation: LoadObserver = { lcpMs: 0, blockingMs: 0, layoutShift: 0, shownMs: 0, releaseLater: () => undefined };
  Object.assign(globalThis, { loadObservation: observation });
  const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry);
    }).observe({ type, buffered: true });
  observe("largest-contentful-paint", (entry) => {
    observation.lcpMs = entry.startTime;
  });
  observe("longtask", (entry) => {
    observation.blockingMs += Math.max(0, entry.duration - 50);
  });
  observe("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as Shift;
    if (!hadRecentInput) observation.layoutShift += value;
  });
  // What waits for seconds is meant for later, also where the first screen takes as long.
  const laterMs = 2_000;
  const { setTimeout: begin, clearTimeout: cancel } = globalThis as unknown as Timers;
  const held = new Map<number, () => void>();
  let isShown = false;
  observation.releaseLater = () => {
    isShown = true;
    for (const run of held.values()) run();
    held.clear();
  };
  const setTimeout: Timers["setTimeout"] = (run, ms = 0) => {
    const id = begin(ms < laterMs ? run : () => (isShown ? run() : held.set(id, run)), ms);
    return id;
  };
  const clearTimeout: Timers["clearTimeout"] = (id) => {
    if (id !== undefined) held.delete(id);
    cancel(id);
  };
  Object.assign(globalThis, { setTimeout, clearTimeout });
}
