import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const isProduct = (file: string) => !/\.(test|fixture|d)\.ts$|(^|\/)testing\/|^db\/migrations\//.test(file);

/** `name = value` of each constant at the top of a file that holds a number outside of words, patterns and functions; no tables of words. */
function figuresOf(text: string): string[] {
  return [...text.matchAll(/^(?:export )?const (\w+)(?:: [^=\n]+)? = ([^;`]+);$/gm)].flatMap(([, name, value = ""]) => {
    const plain = value.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/(?![/*\s])(?:[^/\\\n]|\\.)+\/[a-z]*/g, "…");
    const isFigure = /(?<![\w$])\d/.test(plain) && !plain.includes("=>") && !/\n[^]*…/.test(plain);
    return isFigure ? [`${name} = ${value.replaceAll(/\s+/g, " ")}`] : [];
  });
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
