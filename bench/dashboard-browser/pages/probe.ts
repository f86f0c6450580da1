/** What a page records about itself; the benchmark reads it from outside. */
export interface Probe {
  /** From the arrival of a text to the frame that shows it. */
  paintMs: number[];
  longTasksMs: number[];
  /** Interactions that took 16 ms or longer, by Event Timing. */
  interactions: { id: number; durationMs: number }[];
  frameGapsMs: number[];
  isRecordingFrames: boolean;
  firstRowMs: number;
}

export const probe: Probe = { paintMs: [], longTasksMs: [], interactions: [], frameGapsMs: [], isRecordingFrames: false, firstRowMs: 0 };
Object.assign(globalThis, { probe, recordFrames });

interface EventTiming extends PerformanceEntry {
  interactionId: number;
}

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) probe.longTasksMs.push(entry.duration);
}).observe({ type: "longtask", buffered: true });

new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as EventTiming[]) {
    if (entry.interactionId > 0) probe.interactions.push({ id: entry.interactionId, durationMs: entry.duration });
  }
}).observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit);

/** Calls back when the next frame is on its way to the screen. */
export function afterPaint(then: () => void): void {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.addEventListener("message", then);
    channel.port1.start();
    channel.port2.postMessage(0);
  });
}

function recordFrames(isOn: boolean): void {
  probe.isRecordingFrames = isOn;
  if (!isOn) return;
  probe.frameGapsMs = [];
  let last = performance.now();
  const note = (now: number) => {
    probe.frameGapsMs.push(now - last);
    last = now;
    if (probe.isRecordingFrames) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** The first row is in the page as soon as a serial number does. */
const watcher = new MutationObserver(() => {
  if (!document.querySelector("[data-first-row], .serial")) return;
  watcher.disconnect();
  afterPaint(() => {
    probe.firstRowMs = performance.now();
  });
});
watcher.observe(document, { childList: true, subtree: true });
