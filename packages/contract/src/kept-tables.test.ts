import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const isProduct = (file: string) => !/\.test\.ts$|(^|\/)testing\/|^api\.ts$/.test(file);

/** Schemas and calls have tests of their own; the version is another one every time. */
const isTable = (name: string, value: unknown): boolean =>
  name !== "consoleVersion" &&
  typeof value !== "function" &&
  !(typeof value === "object" && value !== null && ("_zod" in value || "access" in value));

const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === "function") return "(function)";
  if (value instanceof RegExp) return String(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === "object" && value !== null && "_zod" in value ? "(schema)" : value;
};

/** One line, or one for each entry where they are entries of their own. */
function linesOf(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null || value instanceof RegExp) return [`${name} = ${JSON.stringify(value, plain)}`];
  const entries = Object.entries(value);
  if (Array.isArray(value) && entries.every(([, each]) => typeof each !== "object")) return [`${name} = ${JSON.stringify(value)}`];
  return entries.map(([key, each]) => `${name}.${key} = ${JSON.stringify(each, plain)}`);
}

test("A-63 every table, list and limit of the contract is what is kept of it", async () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname })
    .filter(isProduct)
    .toSorted();
  const modules = await Promise.all(files.map((file) => import(join(import.meta.dirname, file)) as Promise<Record<string, unknown>>));
  const lines = modules.flatMap((module, index) =>
    Object.entries(module).flatMap(([name, value]) => (isTable(name, value) ? linesOf(`${files[index]} ${name}`, value) : [])),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-tables.txt");
});
