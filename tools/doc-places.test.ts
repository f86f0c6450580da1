import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("A-28 every place of the console that docs/operations.md names is in its menu", async () => {
  const menu = await readFile(join(root, "apps/console/src/features/system/shell/menu.ts"), "utf8");
  const labels = [...menu.matchAll(/label: "([^"]+)"/g)].map(([, label]) => label);
  const text = await readFile(join(root, "docs/operations.md"), "utf8");
  const places = [...text.matchAll(/\b(Manage|Monitor|System|Diagnose|Reports) > ((?:[A-Z][a-z]+ ?)+)/g)].map(([, group, entry = ""]) => [
    group,
    entry.trim(),
  ]);
  expect(places.length).toBeGreaterThan(4);
  for (const [group, entry] of places)
    expect([group, entry, labels.includes(group), labels.includes(entry)]).toEqual([group, entry, true, true]);
  const row = text.split("\n").find((line) => line.includes("(No recipients)"));
  expect(row).toMatch(/Reports > Subscription Report/);
});
