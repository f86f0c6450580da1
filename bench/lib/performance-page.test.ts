import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readKeptRuns, renderPerformancePage, type KeptRun } from "./performance-page.ts";
import { createReport } from "./report.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

test("docs/performance.md is what its kept runs make, without a word of another hand", () => {
  expect(readFileSync(join(docs, "performance.md"), "utf8")).toBe(renderPerformancePage(readKeptRuns(docs)));
});

test("the page says of each target whether it is reached, missed or not measured", () => {
  const report = createReport("ingest", "Messages");
  report.facts = { storedPerSecond: 50, bareBrokerPerSecond: 80, copyOneRowsPerSecond: 1_000 };
  report.tables.push({ columns: ["side", "messages/s"], rows: [["a|b", 50]] });
  report.plots = [{ title: "Cost", xLabel: "nodes", yLabel: "µs", x: ["1,000", "10,000"], y: [0.123456, 31] }];
  const machine = { cores: 2, processor: "P", memoryBytes: 2 ** 30, node: "v24", platform: "linux", measuredAt: "2026-01-02T03:04:05Z" };
  const run: KeptRun = { commit: "abc1234", machine, report };
  const overload = createReport("overload", "Messages");
  overload.facts = { lost: 0 };
  const lines = renderPerformancePage([run, { ...run, report: overload }]).split("\n");
  const targetLine = (words: string) => lines.find((line) => line.includes(words));
  expect(targetLine("share of the bare broker")).toMatch(/≥ 60\.0 % \| 62\.5 % \| reached \| ingest/);
  expect(targetLine("share of COPY")).toMatch(/≥ 25\.0 % \| 5\.0 % \| \*\*missed\*\*/);
  expect(targetLine("connections: lost")).toMatch(/≤ 0 \| 0 \| reached/);
  expect(targetLine("polls, p99")).toContain("not measured");
  expect(lines).toContain("| a\\|b | 50 |");
  expect(lines).toContain('    y-axis "µs" 0 --> 50');
  expect(lines).toContain("    line [0.123, 31]");
  expect(lines).toContain("Commit abc1234, 2 cores (P), 1024 MB, Node v24, linux, 2026-01-02T03:04Z.");
});
