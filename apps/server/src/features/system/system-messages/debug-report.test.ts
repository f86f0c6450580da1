import { expect, test } from "vitest";
import { debugReport, type ReportPart } from "./debug-report.ts";
import type { SystemFigures } from "./system-figures.ts";

const message = (text: string, count: number) =>
  ({ at: 1_790_000_000, source: "log", message: text, count }) as unknown as ReportPart["messages"][number];
const linesFor = (sinceNotice: number) => {
  const counts = { lifetime: 50, sinceNotice, overflow: 0, lastAt: null };
  const messages = [message("newest", 2), message("older", 3), message("oldest", 1)];
  const { body } = debugReport([{ kind: "error", counts, messages }], {} as SystemFigures, "sys", 1_790_000_000);
  return body.trimEnd().split("\n").slice(4);
};
const line = (text: string) => `2026-09-21 14:13:20 UTC [log] ${text}`;

test.each<[number, string[]]>([
  [0, []],
  [2, [line("newest (2 times)")]],
  [3, [line("newest (2 times)"), line("older (3 times)")]],
  [5, [line("newest (2 times)"), line("older (3 times)")]],
  [6, [line("newest (2 times)"), line("older (3 times)"), line("oldest")]],
  [10, [line("newest (2 times)"), line("older (3 times)"), line("oldest"), "… and 4 before these"]],
])("A-63 of %d messages since the last report it lists", (count, lines) => {
  expect(linesFor(count)).toEqual([`ERROR: ${count} since the last mail, 50 in all`, ...lines]);
});
