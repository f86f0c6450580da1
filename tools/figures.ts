import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

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

async function linesOf(folder: string, pattern: string, read: (text: string) => string[]): Promise<string> {
  const files = globSync(pattern, { cwd: folder }).filter(isProduct).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return `${texts.flatMap((text, index) => read(text).map((line) => `${files[index]} ${line}`)).join("\n")}\n`;
}

/** Every limit, batch, lease and wait of a part of the product, a line each. */
export const figuresOfPart = (part: string): Promise<string> => linesOf(join(root, part, "src"), "**/*.ts", figuresOf);

/** Where the rows of a statement are put in order, where their number ends, and whom they are held from. */
const orderEndOrHold = /\b(?:order by|limit|offset) (?=[$\w"(])[^`]*|\bfor (?:(?:no key )?update|share)\b[^`]*/;

/** The order and the end of every list that the server reads, and what it locks. */
export const ordersOfServer = (): Promise<string> =>
  linesOf(join(root, "apps/server/src"), "**/*{.store,.read-model,-sql}.ts", (text) =>
    text
      .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
      .split("\n")
      .flatMap((line) => orderEndOrHold.exec(line)?.[0].trim() ?? []),
  );

/** Where each is kept. */
export const keptFile = (name: string): string => join(root, "tools/kept-figures", `${name.replaceAll("/", "-")}.txt`);
