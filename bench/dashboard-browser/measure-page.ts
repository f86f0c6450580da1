import type { Browser, CDPSession, Page } from "playwright-core";
import { waitLimitMs } from "../../scripts/patience.ts";
import { desktop, readLiveHeap, readPageMetrics } from "../lib/browser.ts";
import { quantile } from "../lib/latencies.ts";
import type { PageName } from "./build-pages.ts";
import type { Probe } from "./pages/probe.ts";
import { scriptTimeOf, tracedCategories } from "./script-time.ts";

export interface PageOptions {
  origin: string;
  name: PageName;
  rows: number;
  updates: number;
  sortedUpdates: number;
  /** Clicks and keys. */
  interactions: number;
}

export interface PageFigures {
  firstRowMs: number;
  /** Main-thread script of one update, with the feed's own; 0 when there was none to measure. */
  scriptMs: number;
  sortedScriptMs: number;
  /** Script, style, layout and paint of one update. */
  taskMs: number;
  paintP50Ms: number;
  paintP95Ms: number;
  longTasks: number;
  longestTaskMs: number;
  framesPerSecond: number;
  worstFrameMs: number;
  sortMaxMs: number;
  keyP75Ms: number;
  keyMaxMs: number;
  heapStartBytes: number;
  heapEndBytes: number;
  elementsAtEnd: number;
  problems: string[];
}

const headers: Record<PageName, string | undefined> = {
  null: undefined,
  busbar: ".sort-button:has-text('Last Scalar Stream')",
  "ag-grid": ".ag-header-cell[col-id=lastScalarTimestamp] .ag-header-cell-label",
  "mui-grid": ".MuiDataGrid-columnHeader[data-field=lastScalarTimestamp] .MuiDataGrid-columnHeaderTitle",
};
const digits = "10012";
const betweenInteractionsMs = 350;
/** Event Timing reports nothing of faster interactions. */
const shortestReportedMs = 16;

/** Opens one page and measures it under the same updates and the same hand as the others. */
export async function measurePage(browser: Browser, options: PageOptions): Promise<PageFigures> {
  const context = await browser.newContext(desktop);
  try {
    return await measureIn(await context.newPage(), options);
  } finally {
    await context.close();
  }
}

/** Opens an address and waits for its first row. */
export async function openPage(page: Page, address: string): Promise<{ session: CDPSession; problems: string[] }> {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  const session = await page.context().newCDPSession(page);
  // Processor time of the page's main thread: what else runs on the machine does not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(address);
  await page.waitForFunction(() => (globalThis as unknown as { probe: Probe }).probe.firstRowMs > 0, undefined, { timeout: waitLimitMs });
  return { session, problems };
}

async function measureIn(page: Page, { origin, name, rows, updates, sortedUpdates, interactions }: PageOptions): Promise<PageFigures> {
  const { session, problems } = await openPage(page, `${origin}/${name}.html?rows=${rows}`);
  const { firstRowMs } = await readProbe(page);
  await untilUpdates(page, 1);
  const heapStartBytes = await readLiveHeap(session);

  const before = await readProbe(page);
  const steady = await perUpdate(page, session, updates);
  const after = await readProbe(page);
  const paintMs = after.paintMs.slice(before.paintMs.length);
  const longTasksMs = after.longTasksMs.slice(before.longTasksMs.length);

  const frameGapsMs = await recordFrames(page, Math.floor(updates / 3));

  const header = headers[name];
  const sort = header === undefined ? [] : await interact(page, interactions, () => page.locator(header).first().click());
  const sorted = await perUpdate(page, session, sortedUpdates);
  const filter = page.locator('input[type="search"], input[aria-label="filter"]').first();
  await filter.focus();
  const typed = await interact(page, interactions * 2, (turn) =>
    page.keyboard.press(turn < interactions ? (digits[turn] ?? "0") : "Backspace"),
  );

  const heapEndBytes = await readLiveHeap(session);
  const { Nodes: elementsAtEnd = 0 } = await readPageMetrics(session);
  return {
    firstRowMs,
    scriptMs: steady.scriptMs,
    taskMs: steady.taskMs,
    sortedScriptMs: sorted.scriptMs,
    paintP50Ms: quantile(paintMs, 0.5),
    paintP95Ms: quantile(paintMs, 0.95),
    longTasks: longTasksMs.length,
    longestTaskMs: Math.max(0, ...longTasksMs),
    framesPerSecond: 1_000 / quantile(frameGapsMs, 0.5),
    worstFrameMs: Math.max(...frameGapsMs),
    sortMaxMs: Math.max(...sort),
    keyP75Ms: quantile(typed, 0.75),
    keyMaxMs: Math.max(...typed),
    heapStartBytes,
    heapEndBytes,
    elementsAtEnd,
    problems,
  };
}

const readProbe = (page: Page): Promise<Probe> => page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe);

/** Waits until so many more updates have been painted. */
export async function untilUpdates(page: Page, count: number): Promise<void> {
  const { paintMs } = await readProbe(page);
  const target = paintMs.length + count;
  await page.waitForFunction((target) => (globalThis as unknown as { probe: Probe }).probe.paintMs.length >= target, target, {
    timeout: count * 2_000 * 3 + waitLimitMs,
    polling: 250,
  });
}

/** Gaps between frames during so many updates. */
async function recordFrames(page: Page, updates: number): Promise<number[]> {
  const record = (isOn: boolean) => page.evaluate((isOn) => (globalThis as unknown as Recorder).recordFrames(isOn), isOn);
  await record(true);
  if (updates > 0) await untilUpdates(page, updates);
  else await page.waitForTimeout(betweenInteractionsMs);
  await record(false);
  return (await readProbe(page)).frameGapsMs;
}

interface Recorder {
  recordFrames: (isOn: boolean) => void;
}

async function perUpdate(page: Page, session: CDPSession, count: number): Promise<{ scriptMs: number; taskMs: number }> {
  const browser = page.context().browser();
  if (count === 0 || !browser) return { scriptMs: 0, taskMs: 0 };
  await browser.startTracing(page, { categories: tracedCategories });
  const before = await readPageMetrics(session);
  await untilUpdates(page, count);
  const after = await readPageMetrics(session);
  const script = scriptTimeOf(await browser.stopTracing());
  const task = ((after["TaskDuration"] ?? 0) - (before["TaskDuration"] ?? 0)) * 1_000;
  return { scriptMs: script / count, taskMs: task / count };
}

/** Durations of so many interactions; one that Event Timing does not report was shorter than those it reports. */
async function interact(page: Page, count: number, act: (turn: number) => Promise<void>): Promise<number[]> {
  const before = (await readProbe(page)).interactions.length;
  for (let turn = 0; turn < count; turn++) {
    await act(turn);
    await page.waitForTimeout(betweenInteractionsMs);
  }
  const longest = new Map<number, number>();
  for (const { id, durationMs } of (await readProbe(page)).interactions.slice(before)) {
    longest.set(id, Math.max(durationMs, longest.get(id) ?? 0));
  }
  const reported = [...longest.values()].sort((a, b) => b - a).slice(0, count);
  return [...reported, ...Array.from<number>({ length: count - reported.length }).fill(shortestReportedMs)];
}
