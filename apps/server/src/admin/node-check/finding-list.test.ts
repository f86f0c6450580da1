import { expect, test } from "vitest";
import { createFindingList } from "./finding-list.ts";

test("equal findings are one, with its first time and how often it was found", () => {
  const findings = createFindingList();
  findings.wrong("Data", "Scalars were skipped.", 1_000);
  findings.note("Data", "Scalars come often.", 2_000);
  findings.wrong("Data", "Scalars were skipped.", 3_000);
  findings.wrong("Data", "Scalars were skipped.", 4_000);
  expect(findings.all()).toEqual([
    { severity: "wrong", chapter: "Data", sentence: "Scalars were skipped.", firstAtMs: 1_000, count: 3 },
    { severity: "note", chapter: "Data", sentence: "Scalars come often.", firstAtMs: 2_000, count: 1 },
  ]);
});
