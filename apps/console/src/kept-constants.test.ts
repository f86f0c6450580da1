import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const isProduct = (file: string) => !/\.(?:test|fixture|d)\.tsx?$|(?:^|\/)testing\//.test(file);

/** The constants at the top of a file that are words, numbers, and tables of them: `name = value`. */
const constantsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?const (\w+)(?:: [^=\n]+)? = ([^;]+);$/gm)].flatMap(([, name, value = ""]) =>
    /["`\d]/.test(value) && !/=>|\bfunction\b|\blazyPart\b|\bcreateContext\b|<\w/.test(value)
      ? [`${name} = ${value.replaceAll(/\s+/g, " ")}`]
      : [],
  );

/** What is handed on under a name: an option, a default. */
const namedNumbersOf = (text: string): string[] =>
  [
    ...text
      .replaceAll(/^\s*(?:\/\/|\/?\*).*$|`[^`]*`|"[^"\n]*"/gm, "")
      .matchAll(/^ .*?\b([a-z]\w*)(?:: | = )(\d[\d_.]*(?: [*+-] [\d_.]+)*)(?=[,;)\s]|$)/gm),
  ].flatMap(([, name, value]) => (/^[01]$/.test(value!) ? [] : [`within: ${name} = ${value}`]));

// Labels, orders, limits and intervals: many of them no other test could notice. Whoever changes one means it.
test("A-63 every table of words, limit and interval of the console is what is kept of it", async () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: import.meta.dirname })
    .filter(isProduct)
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
  const lines = texts.flatMap((text, index) => [...constantsOf(text), ...namedNumbersOf(text)].map((each) => `${files[index]} ${each}`));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-constants.txt");
});
