import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs, formatPercent, formatTimes } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { buildPages, pageNames, type PageName } from "./build-pages.ts";
import { measureHour, type HourFigures } from "./measure-hour.ts";
import { measurePage, type PageFigures } from "./measure-page.ts";
import { servePages } from "./serve-pages.ts";

/** P5, P6 (short), P7: the console's dashboard beside two known tables with the same rows, cells and updates. */
export async function benchDashboardBrowser(context: BenchContext): Promise<Report> {
  const { isShort, folder, say } = context;
  const outDir = join(folder, "pages");
  say("building the pages");
  await buildPages(outDir);
  const origin = await servePages(context, outDir);
  const browser = await launchBrowser(context);
  const updates = context.seconds === undefined ? (isShort ? 1 : 10) : Math.ceil(context.seconds / 2);
  const sortedUpdates = isShort ? 0 : 3;
  const interactions = isShort ? 1 : 5;

  const report = createReport("dashboard-browser", `20 % of the rows change every 2 s, Chromium ${browser.version()}`);
  for (const rows of isShort ? [300] : [10_000, 50_000]) {
    const measure = (name: PageName) => measurePage(browser, { origin, name, rows, updates, sortedUpdates, interactions });
    const figures = new Map<PageName, PageFigures>();
    for (const name of pageNames) {
      say(`${name}, ${formatCount(rows)} rows`);
      figures.set(name, await measure(name));
    }
    addFigures(report, rows, figures);
  }
  const polls = isShort ? 20 : 1_800;
  say(`${formatCount(polls)} polls`);
  addHour(report, polls, await measureHour(browser, { origin, rows: isShort ? 300 : 10_000, polls, readings: isShort ? 2 : 10 }));
  report.notes.push(
    "Script: processor time of the main thread in scripts for one update, parsing included, less that of the null page, which receives the same texts.",
    "Paint: from the arrival of an answer to the frame that shows it. Key and sort: Event Timing, which reports nothing below 16 ms.",
    "Heap and DOM nodes: the lowest of ten readings between two polls, each after a forced collection, first after 30 polls; the polls follow each other without their 2 s.",
    "MUI DataGrid's free version shows 100 rows a page; the others show all rows.",
  );
  return report;
}

function addHour(report: Report, polls: number, figures: HourFigures): void {
  const { heapStartBytes, heapEndBytes, elementsAtStart, elementsAtEnd, problems } = figures;
  report.tables.push({
    columns: [`${formatCount(polls)} polls, an hour's`, "after the first", "at the end", "end / start"],
    rows: [
      ["live heap", formatMegabytes(heapStartBytes), formatMegabytes(heapEndBytes), formatPercent(heapEndBytes / heapStartBytes)],
      ["DOM nodes", formatCount(elementsAtStart), formatCount(elementsAtEnd), formatPercent(elementsAtEnd / elementsAtStart)],
    ],
  });
  Object.assign(report.facts, {
    "busbar, hour, heap share": heapEndBytes / heapStartBytes,
    "busbar, hour, DOM share": elementsAtEnd / elementsAtStart,
  });
  expectNone(report, `errors of the page that is open for an hour (${problems[0] ?? ""})`, problems.length);
}

// Versions are pinned exactly.
const packageFile = new URL("../package.json", import.meta.url);
const versions = (JSON.parse(readFileSync(packageFile, "utf8")) as { devDependencies: Record<string, string> }).devDependencies;

const labels: Record<PageName, string> = {
  null: "null page",
  busbar: "Busbar, whole dashboard",
  "ag-grid": `AG Grid Community ${versions["ag-grid-community"]}`,
  "mui-grid": `MUI X DataGrid ${versions["@mui/x-data-grid"]}`,
};

function addFigures(report: Report, rows: number, figures: ReadonlyMap<PageName, PageFigures>): void {
  const floor = figures.get("null");
  const ours = figures.get("busbar");
  if (!floor || !ours) throw new Error("The null page and our own are always measured");
  const net = (figure: PageFigures) => Math.max(0, figure.scriptMs - floor.scriptMs);
  const netSorted = (figure: PageFigures) => Math.max(0, figure.sortedScriptMs - floor.sortedScriptMs);
  const tableRows = [...figures].map(([name, figure]) => [
    labels[name],
    formatMs(name === "null" ? figure.scriptMs : net(figure)),
    name === "null" ? "-" : formatTimes(net(figure) / net(ours)),
    formatMs(name === "null" ? figure.sortedScriptMs : netSorted(figure)),
    formatMs(figure.taskMs),
    `${formatMs(figure.paintP50Ms)} / ${formatMs(figure.paintP95Ms)}`,
    `${figure.longTasks} (${formatMs(figure.longestTaskMs)})`,
    `${formatMs(figure.framesPerSecond)} / ${formatMs(figure.worstFrameMs)}`,
    name === "null" ? "-" : formatMs(figure.sortMaxMs),
    `${formatMs(figure.keyP75Ms)} / ${formatMs(figure.keyMaxMs)}`,
    formatMs(figure.firstRowMs),
    `${formatMegabytes(figure.heapStartBytes)} / ${formatMegabytes(figure.heapEndBytes)}`,
    formatCount(figure.elementsAtEnd),
  ]);
  report.tables.push({
    columns: [
      `${formatCount(rows)} rows`,
      "net script ms",
      "to ours",
      "same, sorted live",
      "all work ms",
      "paint p50/p95",
      "long tasks",
      "fps / worst ms",
      "sort max",
      "key p75/max",
      "first row",
      "heap start/end",
      "DOM nodes",
    ],
    rows: tableRows,
  });
  for (const [name, figure] of figures) {
    expectNone(report, `errors on the page ${name} (${figure.problems[0] ?? ""})`, figure.problems.length);
    Object.assign(report.facts, {
      [`${name}, ${rows} rows, net script ms`]: name === "null" ? 0 : net(figure),
      [`${name}, ${rows} rows, net script sorted ms`]: name === "null" ? 0 : netSorted(figure),
      [`${name}, ${rows} rows, paint p95 ms`]: figure.paintP95Ms,
      [`${name}, ${rows} rows, key max ms`]: figure.keyMaxMs,
      [`${name}, ${rows} rows, long tasks`]: figure.longTasks,
      [`${name}, ${rows} rows, heap end bytes`]: figure.heapEndBytes,
    });
    if (name !== "null") report.facts[`${name}, ${rows} rows, sort max ms`] = figure.sortMaxMs;
  }
}
