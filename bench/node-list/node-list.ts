import type { Page } from "playwright-core";
import { desktop, launchBrowser, signIn } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatKilobytes, formatMs } from "../lib/format-figure.ts";
import { median, quantile } from "../lib/latencies.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { serialOf } from "../lib/seed-fleet.ts";
import { openServerDatabase } from "../lib/server-process.ts";
import { untilPainted } from "../lib/until-painted.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

const firstRowsLimitMs = 1_000;
const keyLimitMs = 100;
const settleMs = 300;

/** The list of nodes: its answer from the server, and first rows, keystrokes and a changed sort in the console. */
export async function benchNodeList(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 1_000 : 10_000;
  const times = isShort ? 1 : 15;
  const { server, dataDir, token } = await openFleetServer(context, { nodes });
  const report = createReport("node-list", `${formatCount(nodes)} nodes`);

  say("GET /nodes");
  const api = await measureAnswers({ url: server.urls.console, dataDir, token, times });
  report.tables.push({
    columns: ["answer", "p50 ms", "max ms"],
    rows: (["after a change", "ready", "304"] as const).map((name) => [
      name,
      formatMs(median(api[name])),
      formatMs(quantile(api[name], 1)),
    ]),
  });
  Object.assign(report.facts, {
    "body bytes": api.bytes,
    "after a change, p50 ms": median(api["after a change"]),
    "ready, p50 ms": median(api.ready),
    "304, p50 ms": median(api["304"]),
  });
  report.notes.push(`The body is ${formatKilobytes(api.bytes)} as sent (zstd).`);

  say("in the browser");
  const browser = await launchBrowser(context);
  const page = await browser.newPage(desktop);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await signIn(page, server.urls.console, token);
  const firstRows: number[] = [];
  for (let time = 0; time < times; time++) {
    await page.goto("about:blank");
    const startedAt = performance.now();
    await page.goto(`${server.urls.console}/admin/#/nodes`);
    await page.locator("[data-row]").first().waitFor();
    firstRows.push(performance.now() - startedAt);
  }
  const keys = await measureKeys(page, String(serialOf(Math.floor(nodes / 2))), times);
  report.tables.push({
    columns: ["in the browser", "p50 ms", "p95 ms"],
    rows: [
      ["first rows after opening the page", formatMs(median(firstRows)), formatMs(quantile(firstRows, 0.95))],
      ["a key in the search box until the list is painted", formatMs(median(keys)), formatMs(quantile(keys, 0.95))],
    ],
  });
  Object.assign(report.facts, {
    "first rows, p50 ms": median(firstRows),
    "key, p50 ms": median(keys),
    "key, p95 ms": quantile(keys, 0.95),
  });
  report.notes.push(`Target: first rows within ${firstRowsLimitMs} ms, a key within ${keyLimitMs} ms.`);
  expectNone(report, `errors of the page (${problems[0] ?? ""})`, problems.length);
  return report;
}

interface AnswerOptions {
  url: string;
  dataDir: string;
  token: string;
  times: number;
}

async function measureAnswers({ url, dataDir, token, times }: AnswerOptions) {
  const pool = openServerDatabase(dataDir, 1);
  const figures = { "after a change": [] as number[], ready: [] as number[], "304": [] as number[], bytes: 0 };
  const ask = async (into: number[], etag?: string) => {
    const startedAt = performance.now();
    const headers = { token, "accept-encoding": "zstd", ...(etag === undefined ? {} : { "if-none-match": etag }) };
    const response = await fetch(`${url}/api/nodes`, { headers });
    await response.arrayBuffer();
    into.push(performance.now() - startedAt);
    figures.bytes = Number(response.headers.get("content-length") ?? figures.bytes) || figures.bytes;
    return response.headers.get("etag") ?? "";
  };
  try {
    for (let time = 0; time < times; time++) {
      await pool.query("update node set over_voltage_threshold = $2 where serial_number = $1", [serialOf(0), 20 + time]);
      const etag = await ask(figures["after a change"]);
      await ask(figures.ready);
      await ask(figures["304"], etag);
    }
  } finally {
    await pool.end();
  }
  return figures;
}

/** From a key until the list that follows it is painted. */
async function measureKeys(page: Page, text: string, times: number): Promise<number[]> {
  const box = page.getByRole("searchbox");
  const figures: number[] = [];
  for (let time = 0; time < times; time++) {
    await box.fill("");
    await page.locator("[data-row]").nth(5).waitFor();
    await page.waitForTimeout(settleMs);
    await box.focus();
    for (const key of text) figures.push(await untilPainted(page, () => page.keyboard.press(key)));
  }
  return figures;
}
