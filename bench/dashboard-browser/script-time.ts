/** What Chromium has to note so that `scriptTimeOf` can be computed. */
export const tracedCategories = ["devtools.timeline", "v8.execute"];

interface TraceEvent {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the thread's own processor time. */
  tts?: number;
  tdur?: number;
  args?: { name?: string };
}

// Chromium's own counter of script leaves out what promises run, and a store that awaits its answers does all its work there.
const scriptEvents = new Set([
  "EvaluateScript",
  "FunctionCall",
  "v8.callFunction",
  "RunMicrotasks",
  "HandlePostMessage",
  "TimerFire",
  "FireAnimationFrame",
  "FireIdleCallback",
  "MinorGC",
  "MajorGC",
]);

/** Processor time of the page's main thread in scripts and in collecting their garbage, milliseconds. */
export function scriptTimeOf(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ ph, name, args }: TraceEvent) => ph === "M" && name === "thread_name" && args?.name === "CrRendererMain";
  const spans = new Map(traceEvents.filter(isMain).map((event) => [threadOf(event), [] as [from: number, to: number][]]));
  for (const event of traceEvents) {
    if (event.ph !== "X" || event.tts === undefined || event.tdur === undefined || !scriptEvents.has(event.name)) continue;
    spans.get(threadOf(event))?.push([event.tts, event.tts + event.tdur]);
  }
  return [...spans.values()].reduce((sum, each) => sum + lengthOfUnion(each), 0) / 1_000;
}

/** Events contain each other: time is counted once. */
function lengthOfUnion(spans: [from: number, to: number][]): number {
  let length = 0;
  let reached = -Infinity;
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return length;
}
