import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineLine, type Machine } from "./machine.ts";
import type { Plot, Report, ReportTable } from "./report.ts";
import { targets, type Target } from "./targets.ts";

/** A full run as `docs/performance/<name>.json` keeps it. */
export interface KeptRun {
  /** That the program was built from. */
  commit: string;
  machine: Machine;
  report: Report;
}

/** Keeps the runs, each in place of the last one of its benchmark, and writes the page of all that are kept. */
export function writePerformancePage(docs: string, runs: readonly KeptRun[]): void {
  const folder = join(docs, "performance");
  mkdirSync(folder, { recursive: true });
  for (const run of runs) writeFileSync(join(folder, `${run.report.name}.json`), `${JSON.stringify(run, undefined, 1)}\n`);
  writeFileSync(join(docs, "performance.md"), renderPerformancePage(readKeptRuns(docs)));
}

/** By name. */
export function readKeptRuns(docs: string): KeptRun[] {
  const folder = join(docs, "performance");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.toSorted().map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as KeptRun);
}

export function renderPerformancePage(runs: readonly KeptRun[]): string {
  const lines = [
    "# Performance",
    "",
    "Written by `npm run bench -- --report` from full runs; do not edit. Each figure is beside its floor or its peer, which ran on the same",
    "machine in the same run: compare within a table, not between machines. How to run and read them: `bench/README.md`.",
    "",
    "## Targets",
    "",
    ...renderTable({ columns: ["measure", "must", "measured", "", "benchmark"], rows: targets.map((target) => targetRow(target, runs)) }),
  ];
  for (const { commit, machine, report } of runs) {
    lines.push("", `## ${report.name}`, "", `${report.title}.`, "", `Commit ${commit}, ${machineLine(machine)}.`);
    for (const table of report.tables) lines.push("", ...renderTable(table));
    for (const plot of report.plots ?? []) lines.push("", ...renderPlot(plot));
    for (const note of report.notes) lines.push("", note);
  }
  return `${lines.join("\n")}\n`;
}

function targetRow(target: Target, runs: readonly KeptRun[]): string[] {
  const facts = runs.find(({ report }) => report.name === target.benchmark)?.report.facts;
  const value = facts && target.read(facts);
  const must = `${"most" in target ? "≤" : "≥"} ${target.format("most" in target ? target.most : target.least)}`;
  if (value === undefined || Number.isNaN(value)) return [target.measure, must, "not measured", "", target.benchmark];
  const isReached = "most" in target ? value <= target.most : value >= target.least;
  return [target.measure, must, target.format(value), isReached ? "reached" : "**missed**", target.benchmark];
}

function renderTable({ columns, rows }: ReportTable): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map((_, index) => (index === 0 ? "---" : "--:"))), ...rows.map(line)];
}

/** A plot that code hosts and editors draw from its text. */
function renderPlot({ title, x, xLabel, yLabel, y }: Plot): string[] {
  const quote = (text: string) => `"${text.replaceAll('"', "'")}"`;
  return [
    "```mermaid",
    "xychart-beta",
    `    title ${quote(title)}`,
    `    x-axis ${quote(xLabel)} [${x.map(quote).join(", ")}]`,
    `    y-axis ${quote(yLabel)} 0 --> ${niceAbove(Math.max(...y))}`,
    `    line [${y.map((value) => Number(value.toPrecision(3))).join(", ")}]`,
    "```",
  ];
}

/** The next of 1, 2, 5, 10 … */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)));
  return Number((power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10)).toPrecision(1));
}
