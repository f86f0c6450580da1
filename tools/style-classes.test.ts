import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** Those of libraries have their rules, or their elements, there. */
const isForeign = (name: string) => /^(?:mantine-|u-|uplot$)/.test(name);

/** Names that rules are for. */
const ruledBy = (css: string): string[] =>
  [...css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name).filter((name) => !isForeign(name));

const words = (text: string): string[] => text.split(/[^\w-]+/).filter(Boolean);
const beginnings = (text: string): string[] => [...text.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, start = ""]) => start);
/** Every word of every text of a program: any of them may become a class, some by their beginning only, such as `status-${tone}`. */
const textsOf = (code: string): string[] =>
  [...code.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, text, template]) => text ?? template ?? "");

/** Names that elements are given in so many letters. */
const givenBy = (code: string): string[] =>
  [...code.matchAll(/\b[cC]lassName(?:=|: ?)\{?(?:"([^"]*)"|`([^`]*)`)/g)].flatMap(([, text, template = ""]) =>
    words((text ?? template).replaceAll(/[\w-]*\$\{[^}]*\}[\w-]*/g, " ")),
  );

async function filesOf(folder: string, ending: RegExp): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  const wanted = names.filter((name) => ending.test(name) && !/\.test\.|\.fixture\.|^testing|node_modules/.test(name));
  return Promise.all(wanted.map(async (name) => readFile(join(root, folder, name), "utf8")));
}

/** @param others that look elements up by their class */
function without({ css, code, others = [] }: { css: string; code: readonly string[]; others?: readonly string[] }) {
  const ruled = new Set(ruledBy(css));
  const texts = code.flatMap(textsOf);
  const named = new Set(texts.flatMap(words));
  const lookedUp = new Set(others.flatMap(textsOf).flatMap(words));
  const begun = texts.flatMap(beginnings);
  return {
    use: [...ruled].filter((name) => !named.has(name) && !begun.some((start) => name.startsWith(start))),
    rule: [...new Set(code.flatMap(givenBy))].filter((name) => !ruled.has(name) && !lookedUp.has(name) && !isForeign(name)),
  };
}

test("the check finds a class without use and one without a rule, and knows those that are put together", () => {
  const css = ".used { a: b; } .dead:hover > .uplot { a: b; } .tone-good { a: b; } /* .said */";
  const code = ['<p className="used mark" />', "<p className={`used tone-${tone}`} />", 'const dead = ".uplot";'];
  expect(without({ css, code })).toEqual({ use: ["dead"], rule: ["mark"] });
  expect(without({ css, code, others: ['document.querySelector(".mark")'] }).rule).toEqual([]);
});

test("every class of the console has a rule, and every rule's class is given to something", async () => {
  const css = (await filesOf("apps/console/src", /\.css$/)).join("\n");
  const [code, others] = [await filesOf("apps/console/src", /\.tsx?$/), await filesOf("bench", /\.ts$/)];
  expect(without({ css, code, others })).toEqual({ use: [], rule: [] });
});
