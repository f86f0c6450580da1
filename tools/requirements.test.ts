import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 })
  .split("\n")
  .filter((file) => /\.(?:tsx?|mjs|css|md)$/.test(file) && existsSync(join(root, file)));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const isPage = (file: string) => file.startsWith("docs/requirements/");

/** Areas of clauses, and the defects of the acceptance. */
const pattern = /\b(?:(?:API|CFG|COM|CUS|DSH|ENV|FEE|FIL|LOG|MET|NAV|NFM|NOD|NOT|REP|SEC|SEN|SES|SYS|TSK|USR)-\d\d|A-\d\d)\b/g;
/** Speed, faults and controls are cited in comments, titles and tables of benchmarks; elsewhere such letters mean something else. */
const qualityPattern = /(?<=\/\*\*? ?|\/\/ ?|\* |"|`)(?:P1b|P\d{1,2}|R\d{1,2}|NC\d)(?=[:, ](?![A-Z]\d))/g;

const explained = new Set(
  files.filter(isPage).flatMap((file) => [...read(file).matchAll(/^\| ([A-Z]+-?\d+b?) +\|/gm)].map(([, id]) => id!)),
);
const cited = new Map<string, string>();
for (const file of files.filter((each) => !isPage(each))) {
  const text = read(file);
  for (const [id] of text.matchAll(pattern)) cited.set(id, file);
  if (/^(?:apps|bench|packages|e2e)\//.test(file)) for (const [id] of text.matchAll(qualityPattern)) cited.set(id, file);
}
const titles = files
  .filter((file) => /\.(?:test|e2e)\.tsx?$/.test(file))
  .flatMap((file) => [...read(file).matchAll(/\b(?:test|it|describe)(?:\.(?!skip|todo|fixme)\w+)*(?:\([^"'`]*?\))?\(\s*["'`]([^\n]*)/g)])
  .map(([, title]) => title!)
  .join("\n");

test("A-61 every id that the code cites is explained in docs/requirements", () => {
  expect([...cited].filter(([id]) => !explained.has(id)).map(([id, file]) => `${id} in ${file}`)).toEqual([]);
  // Lest the patterns find nothing.
  expect([explained.size > 200, cited.size > 180]).toEqual([true, true]);
});

test("A-61 every clause is named in the title of a test", () => {
  const clauses = [...explained].filter((id) => /^[A-Z]{3}-/.test(id));
  expect(clauses.filter((id) => !titles.includes(id))).toEqual([]);
});
