import type { Browser } from "playwright-core";
import { desktop, readLiveHeap, readPageMetrics } from "../lib/browser.ts";
import { openPage, untilUpdates } from "./measure-page.ts";

export interface HourOptions {
  origin: string;
  rows: number;
  polls: number;
}

export interface HourFigures {
  heapStartBytes: number;
  heapEndBytes: number;
  elementsAtStart: number;
  elementsAtEnd: number;
  problems: string[];
}

const warmUpPolls = 30;
const pollEveryMs = 2_000;
const everyMs = 20;

/** The dashboard through as many polls as an hour has, one right after the other; the rest of the page keeps its own time. */
export async function measureHour(browser: Browser, { origin, rows, polls }: HourOptions): Promise<HourFigures> {
  const context = await browser.newContext(desktop);
  try {
    const page = await context.newPage();
    await page.addInitScript(
      ([pollEveryMs, everyMs]) => {
        const { setTimeout } = globalThis;
        const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === pollEveryMs ? everyMs : ms);
        Object.assign(globalThis, { setTimeout: hasten });
      },
      [pollEveryMs, everyMs] as const,
    );
    const { session, problems } = await openPage(page, `${origin}/busbar.html?rows=${rows}`);
    const read = async () => {
      const bytes = await readLiveHeap(session);
      const { Nodes: elements = 0 } = await readPageMetrics(session);
      return { bytes, elements };
    };
    await untilUpdates(page, warmUpPolls);
    const start = await read();
    await untilUpdates(page, polls);
    const end = await read();
    return {
      heapStartBytes: start.bytes,
      heapEndBytes: end.bytes,
      elementsAtStart: start.elements,
      elementsAtEnd: end.elements,
      problems,
    };
  } finally {
    await context.close();
  }
}
