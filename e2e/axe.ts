import type { Page } from "@playwright/test";
import axeCore, { type AxeResults, type RunOptions } from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const options: RunOptions = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] };

type Axe = { run(context: Element, options: RunOptions): Promise<AxeResults> };

/** What axe finds on the page as it is, or in the dialog over it, one line each: what is behind a dialog can be reached by no one. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The library is large: a page that has it keeps it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeCore.source);
  const { violations } = await page.evaluate((given) => {
    const { axe } = window as unknown as { axe: Axe };
    return axe.run(document.querySelector("[role=dialog]") ?? document.documentElement, given);
  }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

const height = 600;
const wide = { colorScheme: "light", width: 1440 } as const;
const narrow = { colorScheme: "dark", width: 390 } as const;

async function show(page: Page, { colorScheme, width }: typeof wide | typeof narrow): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise<void>((drawn) => void requestAnimationFrame(() => void requestAnimationFrame(() => drawn()))));
}

/** What axe finds in each theme and at each width once: a finding hangs on one of them at a time. */
export async function axeFindingsInAllLooks(page: Page): Promise<string[]> {
  await show(page, wide);
  const found = await axeFindings(page);
  await show(page, narrow);
  found.push(...(await axeFindings(page)).map((finding) => `${narrow.width} px, ${narrow.colorScheme}: ${finding}`));
  await show(page, wide);
  return found;
}
