import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { chromiumFlags } from "../../scripts/chromium.mjs";
import type { BenchContext } from "./bench-context.ts";

interface FindChromium {
  findOrInstallChromium: () => Promise<string>;
}

/** The machine's Chromium, headless, as the tests start it. */
export async function launchBrowser({ undo }: BenchContext): Promise<Browser> {
  const finder = new URL("../../scripts/launcher/find-chromium.mjs", import.meta.url).href;
  const { findOrInstallChromium } = (await import(finder)) as FindChromium;
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    // Signals end the whole benchmark, which closes its browser in turn.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [...chromiumFlags, "--enable-precise-memory-info"],
  });
  undo.add(() => browser.close());
  return browser;
}

export const desktop = { viewport: { width: 1440, height: 900 }, locale: "en-US", timezoneId: "America/Chicago" };

/** Chromium's own counters of a page. */
export async function readPageMetrics(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Bytes of live objects, after a collection. */
export async function readLiveHeap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await readPageMetrics(session))["JSHeapUsedSize"] ?? 0;
}

/** Signs a page's context in, as the console itself would have done. */
export async function signIn(page: Page, consoleUrl: string, token: string): Promise<void> {
  const cookies = { "admin-token": token, "admin-roles": encodeURIComponent(JSON.stringify(["systemAdministrator"])) };
  await page
    .context()
    .addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: consoleUrl, sameSite: "Strict" as const })));
}
