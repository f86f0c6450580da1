import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const nouns =
  "activities|bills|blocks|channels|customers|days|downloads|entries|events|facilities|files|hours|items|keys|lines|locations|managers|" +
  "messages|minutes|months|nodes|notes|people|points|records|recipients|requests|rows|samples|scalars|seconds|services|sessions|settings|" +
  "steps|subscriptions|times|users|values|warnings|weeks|years";
// A value, perhaps a word, and a noun that is right for many only.
const frozenPlural = new RegExp(String.raw`[\w)\]]\} (?!no |of |The )(?:\w+ )?(?:${nouns})\b(?!=)`);
// Limits above one, the days of a year, and a choice between both forms.
const exempt = /\b(?:[Aa]t most|at least|more than|the) \$\{|> 1 \?|\bdaysOfYear\b|=== 1 \?|interval '\$\{|^\s*(?:\/\/|\*|\/\*)|\bimport\b/;

async function* sentences(folder: string): AsyncGenerator<string> {
  for (const { name, parentPath } of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    if (!/\.tsx?$/.test(name) || /\.test\.|\.fixture\.|testing|migrations/.test(path)) continue;
    for (const line of (await readFile(path, "utf8")).split("\n"))
      if (frozenPlural.test(line) && !exempt.test(line)) yield `${path.slice(root.length + 1)}: ${line.trim()}`;
  }
}

test("A-28 the rule finds a frozen plural, and lets limits and counted() through", () => {
  const isFound = (line: string) => frozenPlural.test(line) && !exempt.test(line);
  expect(["`${count} nodes are late`", "{rows.length} files in sight", "`${n} other sessions ended`"].every(isFound)).toBe(true);
  expect(["`at most ${most} characters`", '{counted(n, "node is", "nodes are")} late', "<Plot values={a} notes={b} />"].some(isFound)).toBe(
    false,
  );
});

test("A-28 no sentence counts with a plural that is wrong for one", async () => {
  for (const folder of ["apps/console/src", "apps/server/src", "packages/contract/src"]) {
    const found: string[] = [];
    for await (const sentence of sentences(folder)) found.push(sentence);
    expect(found).toEqual([]);
  }
});
