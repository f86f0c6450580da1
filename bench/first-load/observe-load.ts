export interface LoadObservation {
  lcpMs: number;
  blockingMs: number;
  layoutShift: number;
  shownMs: number;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Runs in the page before anything else of it; must not use anything outside itself. */
export function observeLoad(): void {
  const observation: LoadObservation = { lcpMs: 0, blockingMs: 0, layoutShift: 0, shownMs: 0 };
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
}
