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
