import type { Browser } from "playwright-core";
import { desktop, readLiveHeap, readPageMetrics } from "../lib/browser.ts";
import { openPage, untilUpdates } from "./measure-page.ts";

export interface HourOptions {
  origin: string;
  rows: number;
  polls: number;
  /** At the start and at the end; the lowest counts. */
  readings: number;
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

interface Hastened {
  /** In place of the pause between two polls. */
  pauseMs: number;
}

/** The dashboard through as many polls as an hour has, one right after the other; the rest of the page keeps its own time. */
export async function measureHour(browser: Browser, { origin, rows, polls, readings }: HourOptions): Promise<HourFigures> {
  const context = await browser.newContext(desktop);
  try {
    const page = await context.newPage();
    await page.addInitScript(
      ([pollEveryMs, everyMs]) => {
        const { setTimeout } = globalThis;
        const hastened: Hastened = { pauseMs: everyMs };
        const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === pollEveryMs ? hastened.pauseMs : ms);
        Object.assign(globalThis, { setTimeout: hasten, hastened });
      },
      [pollEveryMs, everyMs] as const,
    );
    const { session, problems } = await openPage(page, `${origin}/busbar.html?rows=${rows}`);
    const pauseBetweenPolls = (ms: number) =>
      page.evaluate((ms) => void ((globalThis as unknown as { hastened: Hastened }).hastened.pauseMs = ms), ms);
    // Each within the pause after an answer: while one is read, the heap holds it once or twice more.
    const read = async () => {
      await pauseBetweenPolls(pollEveryMs);
      const found = [];
      for (let reading = 0; reading < readings; reading++) {
        await untilUpdates(page, 1);
        const bytes = await readLiveHeap(session);
        const { Nodes: elements = 0 } = await readPageMetrics(session);
        found.push({ bytes, elements });
      }
      await pauseBetweenPolls(everyMs);
      return { bytes: Math.min(...found.map(({ bytes }) => bytes)), elements: Math.min(...found.map(({ elements }) => elements)) };
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
