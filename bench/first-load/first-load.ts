import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { desktop, launchBrowser, signIn } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatKilobytes, formatMs } from "../lib/format-figure.ts";
import { median } from "../lib/latencies.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { observeLoad, type LoadObservation, type LoadObserver } from "./observe-load.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

interface Load extends LoadObservation {
  /** Requested until it was shown, also what arrived afterwards. */
  scriptBytes: number;
  styleBytes: number;
  requests: number;
  /** Requested in the seconds after it: what is fetched ahead of need. */
  laterScriptBytes: number;
  problems: string[];
}

interface PageToLoad {
  name: string;
  url: string;
  /** Seen when the page is there for a person. */
  sign: string;
  token?: string;
}

const settleMs = 5_000;

/** Sizes are the same in every run, so that they may fail one. */
const mostScriptBytes = 220 * 1_024;

/** P8: the production build from the real server with an empty cache. */
export async function benchFirstLoad(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 1_000 : 10_000;
  const times = isShort ? 1 : 5;
  const { server, tokens } = await openFleetServer(context, { nodes });
  const bareUrl = await serveBarePage(context);
  const browser = await launchBrowser(context);

  const home = `${server.urls.console}/admin/`;
  const pages: PageToLoad[] = [
    { name: "a page of one line", url: bareUrl, sign: "h1" },
    { name: "sign-in", url: home, sign: 'input[type="password"]' },
    { name: `dashboard, ${formatCount(nodes)} nodes`, url: `${home}#/node-dashboard`, sign: "[data-row]", token: tokens[0] ?? "" },
  ];
  const report = createReport("first-load", "production build, cold cache, no throttling");
  const rows: (string | number)[][] = [];
  for (const page of pages) {
    say(page.name);
    const loads: Load[] = [];
    for (let time = 0; time < times; time++) loads.push(await loadCold(browser, page));
    const of = (read: (load: Load) => number) => median(loads.map(read));
    rows.push([
      page.name,
      formatMs(of(({ lcpMs }) => lcpMs)),
      formatMs(of(({ shownMs }) => shownMs)),
      formatMs(of(({ blockingMs }) => blockingMs)),
      of(({ layoutShift }) => layoutShift).toFixed(3),
      formatKilobytes(of(({ scriptBytes }) => scriptBytes)),
      formatKilobytes(of(({ laterScriptBytes }) => laterScriptBytes)),
      formatKilobytes(of(({ styleBytes }) => styleBytes)),
      of(({ requests }) => requests),
    ]);
    const problems = loads.flatMap((load) => load.problems);
    expectNone(report, `errors on "${page.name}" (${problems[0] ?? ""})`, problems.length);
    const excess = Math.max(0, ...loads.map(({ scriptBytes }) => scriptBytes - mostScriptBytes));
    expectNone(report, `bytes of JavaScript on "${page.name}" above ${formatKilobytes(mostScriptBytes)}`, excess);
    Object.assign(report.facts, {
      [`${page.name}, lcp ms`]: of(({ lcpMs }) => lcpMs),
      [`${page.name}, blocking ms`]: of(({ blockingMs }) => blockingMs),
      [`${page.name}, layout shift`]: of(({ layoutShift }) => layoutShift),
      [`${page.name}, script bytes`]: of(({ scriptBytes }) => scriptBytes),
    });
  }
  report.tables.push({ columns: ["page", "LCP ms", "shown ms", "blocking ms", "CLS", "JS", "JS later", "CSS", "requests"], rows });
  report.notes.push(
    "Shown: the first row or field is in the page. Blocking: what long tasks take beyond 50 ms each. JS, CSS and requests: compressed bytes on the wire, headers included, of all that was requested until then.",
    `JS later: what was requested in the ${settleMs / 1_000} s after it, which the first screen does not wait for.`,
  );
  return report;
}

async function loadCold(browser: Browser, { url, sign, token }: PageToLoad): Promise<Load> {
  const context = await browser.newContext(desktop);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  if (token !== undefined) await signIn(page, url, token);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const bytes = new Map<string, number>();
  const types = new Map<string, string>();
  session.on("Network.requestWillBeSent", ({ requestId, type }) => types.set(requestId, type ?? ""));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  await page.addInitScript(observeLoad);
  await page.goto(url);
  await page.locator(sign).first().waitFor();
  const shownMs = await page.evaluate(() => performance.now());
  const first = [...types.keys()];
  await page.evaluate(() => (globalThis as unknown as { loadObservation: LoadObserver }).loadObservation.releaseLater());
  await page.waitForTimeout(settleMs);
  const sum = (ids: readonly string[], type: string) =>
    ids.reduce((total, id) => total + (types.get(id) === type ? (bytes.get(id) ?? 0) : 0), 0);
  const scriptBytes = sum(first, "Script");
  const weights = {
    scriptBytes,
    laterScriptBytes: sum([...types.keys()], "Script") - scriptBytes,
    styleBytes: sum(first, "Stylesheet"),
    requests: first.length,
  };
  const observed = await page.evaluate(() => (globalThis as unknown as { loadObservation: LoadObservation }).loadObservation);
  await context.close();
  return { ...observed, shownMs, ...weights, problems };
}

async function serveBarePage({ undo }: BenchContext): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 204, { "content-type": "text/html" });
    response.end("<!doctype html><title>Bare</title><h1>Bare</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  undo.add(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
