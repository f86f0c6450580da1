import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const isProduct = (file: string) => !/\.(test|fixture|d)\.ts$|(^|\/)testing\/|^db\/migrations\//.test(file);

/** The constants at the top of a file that hold a number outside of words, patterns and functions; no tables of words. */
const figureConstants = (text: string) =>
  [...text.matchAll(/^(?:export )?const (\w+)(?:: [^=\n]+)? = ([^;`]+);$/gm)].filter(([, , value = ""]) => {
    const plain = value.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/(?![/*\s])(?:[^/\\\n]|\\.)+\/[a-z]*/g, "…");
    return /(?<![\w$])\d/.test(plain) && !plain.includes("=>") && !/\n[^]*…/.test(plain);
  });

/** An option, field or default of 2 and more. */
const namedNumber = /\b(?!(?:status|length)\b)([a-z]\w*)(?:: | = )(?![01][,;)\s])(\d[\d_.]*(?: [*+-] [\d_.]+)*)(?=[,;)\s]|$)/gim;

/** A pattern that says how many. */
const countingPattern =
  /(?<=[(=,:?&|!\s])\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\{\d(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\/[a-z]*/g;

/** `name = value` of each constant, and of what functions take and hand on under a name. */
function figuresOf(text: string): string[] {
  const constants = figureConstants(text);
  const rest = constants.reduce((left, [whole]) => left.replace(whole, ""), text);
  const code = rest.replaceAll(/^\s*(?:\/\/|\/?\*).*$|`[^`]*`/gm, "");
  return [
    ...constants.map(([, name, value = ""]) => `${name} = ${value.replaceAll(/\s+/g, " ")}`),
    ...[...code.matchAll(namedNumber)].map(([, name, value]) => `within: ${name} = ${value}`),
    ...[...code.matchAll(countingPattern)].map(([pattern]) => `pattern: ${pattern}`),
  ];
}

// Most of them no other test could notice: one more in a batch, a minute less of patience. Whoever changes one means it.
test.each(["apps/server", "packages/alarms", "packages/contract", "packages/metering", "packages/sparkplug", "packages/waveform"])(
  "A-63 every limit, batch, lease and wait of %s is what is kept of it",
  async (part) => {
    const folder = join(root, part, "src");
    const files = globSync("**/*.ts", { cwd: folder }).filter(isProduct).toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    const lines = texts.flatMap((text, index) => figuresOf(text).map((figure) => `${files[index]} ${figure}`));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`kept-figures/${part.replaceAll("/", "-")}.txt`);
  },
);

/** Where the rows of a statement are put in order, where their number ends, and whom they are held from. */
const orderEndOrHold = /\b(?:order by|limit|offset) (?=[$\w"(])[^`]*|\bfor (?:(?:no key )?update|share)\b[^`]*/;

// Rows of one moment, more of them than a list shows, and two who change one at once are in hardly any test.
test("A-63 the order and the end of every list that the server reads, and what it locks, are what is kept of it", async () => {
  const folder = join(root, "apps/server/src");
  const files = globSync("**/*{.store,.read-model,-sql}.ts", { cwd: folder }).filter(isProduct).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const lines = texts.flatMap((text, index) =>
    text
      .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
      .split("\n")
      .flatMap((line) => orderEndOrHold.exec(line)?.[0].trim() ?? [])
      .map((clause) => `${files[index]} ${clause}`),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("kept-figures/apps-server-orders.txt");
});
