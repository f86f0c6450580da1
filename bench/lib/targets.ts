import { formatCount, formatKilobytes, formatMegabytes, formatMs, formatPercent, formatTimes } from "./format-figure.ts";

type Facts = Readonly<Record<string, number>>;

/** What a full run on 2 cores must reach, generator, database and broker included. */
export type Target = {
  measure: string;
  benchmark: string;
  /** NaN when the run did not measure it. */
  read: (facts: Facts) => number;
  format: (value: number) => string;
} & ({ most: number } | { least: number });

const fact =
  (name: string) =>
  (facts: Facts): number =>
    facts[name] ?? Number.NaN;
const share =
  (part: string, whole: string) =>
  (facts: Facts): number =>
    fact(part)(facts) / fact(whole)(facts);
const milliseconds = (value: number) => `${formatMs(value)} ms`;
const people = "10,000 nodes, 4,000 messages/s, 1,000 people";

const ofScript = (rows: number): Target => ({
  measure: `net script of an update, ${formatCount(rows)} rows, as a share of AG Grid's`,
  benchmark: "dashboard-browser",
  read: share(`busbar, ${rows} rows, net script ms`, `ag-grid, ${rows} rows, net script ms`),
  format: formatPercent,
  most: 0.35,
});
const ofBrowser = (measure: string, name: string, most: number, format = milliseconds): Target => ({
  measure,
  benchmark: "dashboard-browser",
  read: fact(`busbar, ${name}`),
  format,
  most,
});

const ofCall = (measure: string, benchmark: string, call: string, most: number): Target => ({
  measure: `${measure}, p95`,
  benchmark,
  read: fact(`${call}, p95 ms`),
  format: milliseconds,
  most,
});
const ofTruth = (share: string, name: string): Target => ({
  measure: `verdicts against the simulator's truth log, ${share} of the worst kind`,
  benchmark: "verdict-truth",
  read: fact(name),
  format: formatPercent,
  least: 0.98,
});
const ofExplorer = (measure: string, name: string, target: Pick<Target, "format"> & ({ most: number } | { least: number })): Target => ({
  measure: `explorer of trends, ${measure}`,
  benchmark: "trends",
  read: fact(name),
  ...target,
});

const ofTask = (measure: string, benchmark: string, name: string, most: number): Target => ({
  measure,
  benchmark,
  read: fact(name),
  format: milliseconds,
  most,
});

export const targets: readonly Target[] = [
  { measure: `${people}: failed polls`, benchmark: "dashboard-api", read: fact("errors"), format: formatCount, most: 0 },
  { measure: `${people}: polls, p50`, benchmark: "dashboard-api", read: fact("pollP50Ms"), format: milliseconds, most: 10 },
  { measure: `${people}: polls, p99`, benchmark: "dashboard-api", read: fact("pollP99Ms"), format: milliseconds, most: 250 },
  {
    measure: "the same: publish to the answer of the dashboard, p95",
    benchmark: "dashboard-api",
    read: fact("freshP95Ms"),
    format: milliseconds,
    most: 1_000,
  },
  {
    measure: "beside 1,000 rude clients: polls, p99, as a multiple of the figure without them",
    benchmark: "rude-clients",
    read: share("besideP99Ms", "aloneP99Ms"),
    format: formatTimes,
    most: 2,
  },
  {
    measure: "stored and committed, as a share of the bare broker",
    benchmark: "ingest",
    read: share("storedPerSecond", "bareBrokerPerSecond"),
    format: formatPercent,
    least: 0.6,
  },
  {
    measure: "stored and committed, as a share of COPY on one connection",
    benchmark: "ingest",
    read: share("storedPerSecond", "copyOneRowsPerSecond"),
    format: formatPercent,
    least: 0.25,
  },
  {
    measure: "3x overload for 10 minutes, 5,000 connections: lost",
    benchmark: "overload",
    read: fact("lost"),
    format: formatCount,
    most: 0,
  },
  {
    measure: "3x overload for 10 minutes, 5,000 connections: memory",
    benchmark: "overload",
    read: fact("overloadPeakRssBytes"),
    format: formatMegabytes,
    most: 512 * 1_048_576,
  },
  {
    measure: "3x overload for 10 minutes, 5,000 connections: rate as a share of the highest",
    benchmark: "overload",
    read: fact("overloadShareOfHighest"),
    format: formatPercent,
    least: 0.8,
  },
  {
    measure: "3x overload for 10 minutes, 5,000 connections: calm again after",
    benchmark: "overload",
    read: fact("calmAfterMs"),
    format: milliseconds,
    most: 30_000,
  },
  ofScript(10_000),
  ofScript(50_000),
  ofBrowser("long tasks, 50,000 rows", "50000 rows, long tasks", 0, formatCount),
  ofBrowser("keystroke, 10,000 rows, largest", "10000 rows, key max ms", 100),
  ofBrowser("sort, 10,000 rows, largest", "10000 rows, sort max ms", 100),
  ofBrowser("open for an hour, 1,800 polls: heap at the end, as a share of its start", "hour, heap share", 1.1, formatPercent),
  ofBrowser("the same: DOM nodes", "hour, DOM share", 1.1, formatPercent),
  {
    measure: "initial JavaScript, compressed",
    benchmark: "first-load",
    read: fact("dashboard, 10,000 nodes, script bytes"),
    format: formatKilobytes,
    most: 220 * 1_024,
  },
  {
    measure: "largest contentful paint",
    benchmark: "first-load",
    read: fact("dashboard, 10,000 nodes, lcp ms"),
    format: milliseconds,
    most: 800,
  },
  {
    measure: "start of an existing platform until it is ready",
    benchmark: "start",
    read: fact("with 10,000 nodes, median ms"),
    format: milliseconds,
    most: 2_000,
  },
  {
    measure: "verdicts of 10,000 nodes, a scalar per 10 s, as a share of a core",
    benchmark: "verdicts",
    read: fact("coreShare"),
    format: formatPercent,
    most: 0.05,
  },
  ofTruth("precision", "worstPrecision"),
  ofTruth("recall", "worstRecall"),
  {
    measure: "wiring faults named right, of those that values can show",
    benchmark: "commissioning",
    read: fact("named"),
    format: formatPercent,
    least: 0.98,
  },
  ofCall("find, two letters among 10,000 nodes", "find", "two letters", 100),
  ofCall("first data of a node's page, 10,000 nodes", "node-page", "all calls at once", 200),
  ofCall("board of 2,000 open deployments", "deployment-board", "board", 500),
  ofCall("coverage of 10,000 nodes in 31 days", "coverage", "nodes by days", 150),
  {
    measure: "the same: compressed answer",
    benchmark: "coverage",
    read: fact("nodes by days, kB"),
    format: (value) => `${formatCount(value)} kB`,
    most: 200,
  },
  ofCall("six series of 1,500 points, a year", "trends", "a year", 100),
  ofExplorer("opened from a node's page", "paintMs", { most: 300, format: milliseconds }),
  ofExplorer("dragged, 12 series of a year: frames a second", "dragFramesPerSecond", { least: 55, format: formatCount }),
  ofExplorer("zoomed by the wheel: frames a second", "wheelFramesPerSecond", { least: 55, format: formatCount }),
  ofExplorer("12 series of a year: live heap", "heapBytes", { most: 60 * 1_048_576, format: formatMegabytes }),
  ofTask("dry run of a batch of 500 nodes", "bulk-config", "dry run, ms", 10_000),
  ofTask("roll-out to 500 nodes at full pace", "bulk-config", "roll-out, ms", 60_000),
  ofTask("20,000 locations from a file, dry run and import", "import", "dry run and import, ms", 30_000),
  ofCall("changes among 10,000,000 activities, newest", "changes", "newest", 50),
  ofCall("changes, of one person before a time", "changes", "of one person, before a time", 50),
];
