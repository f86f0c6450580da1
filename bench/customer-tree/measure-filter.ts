import type { Browser } from "playwright-core";
import { desktop, signIn } from "../lib/browser.ts";

export interface FilterFigures {
  firstRowsMs: number;
  /** From the key to the frame that shows it in the box, and to the tree that it filters. */
  keyMs: number[];
  treeMs: number[];
  longestTaskMs: number;
  rows: number;
  scrollWorstFrameMs: number;
}

interface Observed {
  keys: number[];
  trees: number[];
  tasks: number[];
}

export const texts = ["pump", "granite works", "12345", "e"];

/** Opens the screen on the running server and types filters into it, letter by letter. */
export async function measureFilter(browser: Browser, consoleUrl: string, token: string, typed: readonly string[]): Promise<FilterFigures> {
  const page = await browser.newPage(desktop);
  await signIn(page, consoleUrl, token);
  // The shell first, so that the figure is the screen's own.
  await page.goto(`${consoleUrl}/admin/#/home`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const startedAt = performance.now();
  await page.getByRole("link", { name: "Customers" }).first().click();
  await page.getByRole("treeitem").first().waitFor();
  const firstRowsMs = performance.now() - startedAt;

  await page.evaluate(() => {
    const observed: Observed = { keys: [], trees: [], tasks: [] };
    (globalThis as unknown as { observed: Observed }).observed = observed;
    let keyAt = 0;
    const box = document.querySelector("input[type=search]");
    box?.addEventListener("keydown", () => {
      keyAt = performance.now();
      const began = keyAt;
      requestAnimationFrame(() => setTimeout(() => observed.keys.push(performance.now() - began)));
    });
    new MutationObserver(() => {
      if (keyAt === 0) return;
      observed.trees.push(performance.now() - keyAt);
      keyAt = 0;
    }).observe(document.querySelector(".customers-count") as Node, { subtree: true, characterData: true, childList: true });
    new PerformanceObserver((list) => observed.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
  });
  const box = page.locator("input[type=search]");
  for (const text of typed) {
    await box.click();
    for (const letter of text) {
      await page.keyboard.type(letter);
      await page.waitForTimeout(250);
    }
    await box.fill("");
    await page.waitForTimeout(250);
  }
  await box.fill("e");
  await page.waitForTimeout(500);
  const scrollWorstFrameMs = await page.evaluate(async () => {
    const scroller = document.querySelector(".tree-scroller") as HTMLElement;
    let worst = 0;
    let last = performance.now();
    for (let frame = 0; frame < 120; frame++) {
      scroller.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      worst = Math.max(worst, now - last);
      last = now;
    }
    return worst;
  });
  const rows = await page.evaluate(() => (document.querySelector(".tree")?.clientHeight ?? 0) / 34);
  const { keys, trees, tasks } = await page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed);
  await page.close();
  return { firstRowsMs, keyMs: keys, treeMs: trees, longestTaskMs: Math.max(0, ...tasks), rows, scrollWorstFrameMs };
}
