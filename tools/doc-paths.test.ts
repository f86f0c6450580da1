import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const docs = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  // A decision speaks of the code of its day, a requirement of the texts.
  .filter((file) => !/^docs\/(decisions|requirements)\//.test(file) && existsSync(join(root, file)));

/** Paths of this repository that a text names, without patterns and placeholders. */
function pathsOf(text: string): string[] {
  const quoted = Array.from(text.matchAll(/`((?:apps|packages|e2e|bench|tools|scripts|docs|deploy)\/[^`\s]+)`/g), ([, path = ""]) => path);
  return quoted.filter((path) => !/[<>*{}…]|NNNN/.test(path));
}

test.each(docs)("%s names only files that are there", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const links = Array.from(text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g), ([, path = ""]) => join(dirname(file), path));
  expect([...pathsOf(text), ...links].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("each decision has a number of its own, which its heading repeats", () => {
  const names = readdirSync(join(root, "docs/decisions"));
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) < index)).toEqual([]);
  const isOther = (name: string) => !readFileSync(join(root, "docs/decisions", name), "utf8").startsWith(`# ${name.slice(0, 4)} `);
  expect(names.filter(isOther)).toEqual([]);
});
