import type { Page } from "playwright-core";
import { waitLimitMs } from "../../scripts/patience.ts";
import { desktop, launchBrowser, readLiveHeap, readPageMetrics, signIn } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { median, quantile } from "../lib/latencies.ts";

export interface ExplorerOptions {
  consoleUrl: string;
  token: string;
  serialNumber: number;
  /** Search of the explorer's address. */
  search: string;
  /** Times that the explorer is opened, and movements of each gesture. */
  openings: number;
  moves: number;
}

export interface ExplorerFigures {
  /** From the press on the node page's link to the frame with the lines: with the first code of the explorer, and again. */
  firstPaintMs: number;
  paintMs: number;
  dragFramesPerSecond: number;
  wheelFramesPerSecond: number;
  /** Gaps between frames under both gestures. */
  gapP95Ms: number;
  heapBytes: number;
  elements: number;
  problems: string[];
}

interface Frames {
  times: number[];
  isOn: boolean;
}

/** The explorer as a person uses it: opened by a click, dragged, zoomed by the wheel. */
export async function measureExplorer(context: BenchContext, options: ExplorerOptions): Promise<ExplorerFigures> {
  const { consoleUrl, token, serialNumber, search, openings, moves } = options;
  const browser = await launchBrowser(context);
  const page = await (await browser.newContext(desktop)).newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await signIn(page, consoleUrl, token);
  await page.goto(`${consoleUrl}/admin/#/nodes/${serialNumber}`);
  const link = page.getByRole("main").getByRole("link", { name: "Trends", exact: true });
  const paints: number[] = [];
  for (let opening = 0; opening < openings; opening++) {
    paints.push(await untilDrawn(page, () => link.click({ timeout: waitLimitMs })));
    await page.goBack();
  }
  const [firstPaintMs = Number.NaN, ...later] = paints;

  await page.goto(`${consoleUrl}/admin/#/trends?${search}`);
  const plot = page.locator(".trend-canvas .u-over").first();
  await plot.waitFor({ timeout: waitLimitMs });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const heapBytes = await readLiveHeap(session);
  const { Nodes: elements = 0 } = await readPageMetrics(session);
  const box = await plot.boundingBox();
  if (!box) throw new Error("The explorer shows no plot.");
  const [middle, height] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(middle, height);

  const wheel = await framesDuring(page, moves, (move) => page.mouse.wheel(0, move % 20 < 10 ? -40 : 40));
  await page.keyboard.down("Shift");
  await page.mouse.down();
  const drag = await framesDuring(page, moves, (move) => page.mouse.move(middle + 200 * Math.sin(move / 15), height));
  await page.mouse.up();
  await page.keyboard.up("Shift");
  return {
    firstPaintMs,
    paintMs: median(later),
    dragFramesPerSecond: perSecond(drag),
    wheelFramesPerSecond: perSecond(wheel),
    gapP95Ms: quantile([...drag, ...wheel], 0.95),
    heapBytes,
    elements,
    problems,
  };
}

const perSecond = (gapsMs: readonly number[]): number => (1_000 * gapsMs.length) / gapsMs.reduce((sum, gap) => sum + gap, 0);

/** Milliseconds from the press that `act` makes to the frame after the one in which the lines have their values. */
async function untilDrawn(page: Page, act: () => Promise<void>): Promise<number> {
  const drawn = page.evaluate(
    () =>
      new Promise<number>((done) => {
        const follow = (pressedAt: number) => {
          const isDrawn = document.querySelector(".trend-panel .trend-readout") && document.querySelector(".trend-canvas canvas");
          requestAnimationFrame(() => (isDrawn ? done(performance.now() - pressedAt) : follow(pressedAt)));
        };
        addEventListener("pointerdown", ({ timeStamp }) => follow(timeStamp), { capture: true, once: true });
      }),
  );
  await act();
  return await drawn;
}

/** Gaps between frames while a gesture goes on. */
async function framesDuring(page: Page, moves: number, move: (index: number) => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: Frames = { times: [], isOn: true };
    const note = (at: number) => {
      frames.times.push(at);
      if (frames.isOn) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(globalThis, { frames });
  });
  for (let index = 0; index < moves; index++) await move(index);
  const times = await page.evaluate(() => {
    const { frames } = globalThis as unknown as { frames: Frames };
    frames.isOn = false;
    return frames.times;
  });
  return times.slice(1).map((at, index) => at - times[index]!);
}
