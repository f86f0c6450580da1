import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type * as z from "zod/v4/core";
import type { Endpoint } from "./endpoint.ts";

type Definition = z.$ZodTypeDef & Record<string, unknown>;

const isSchema = (value: unknown): value is z.$ZodType => typeof value === "object" && value !== null && "_zod" in value;
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "path" in value && "data" in value && "access" in value;

/** The fields of a schema in words; of one that has a name, its name. */
function wordsOf(schema: z.$ZodType, names: ReadonlyMap<unknown, string>): string {
  const of = (part: unknown): string => names.get(part) ?? wordsOf(part as z.$ZodType, names);
  const all = (parts: unknown, separator: string): string => (parts as unknown[]).map(of).join(separator);
  const def = schema._zod.def as unknown as Definition;
  const inner = def["innerType"];
  switch (def.type) {
    case "object":
      return `{ ${Object.entries(def["shape"] as object)
        .map(([name, part]) => `${name}: ${of(part)}`)
        .join(", ")} }${def["catchall"] ? " and no other" : ""}`;
    case "array":
      return `[${of(def["element"])}]`;
    case "tuple":
      return `[${all(def["items"], ", ")}]`;
    case "record":
      return `{ [${of(def["keyType"])}]: ${of(def["valueType"])} }`;
    case "optional":
      return `${of(inner)}?`;
    case "nullable":
      return `${of(inner)} | null`;
    case "default":
      return `${of(inner)} = ${JSON.stringify(def["defaultValue"])}`;
    case "union":
      return all(def["options"], " | ");
    case "intersection":
      return `${of(def["left"])} & ${of(def["right"])}`;
    case "pipe":
      return `${of(def["in"])} > ${of(def["out"])}`;
    case "enum":
      return Object.values(def["entries"] as object).join("|");
    case "literal":
      return (def["values"] as unknown[]).map((value) => JSON.stringify(value)).join("|");
    case "number":
      return (def["format"] as string | undefined) ?? "number";
    default:
      return def.type;
  }
}

test("A-63 every request and answer of the contract has the fields that are kept of it", async () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter((file) => !/\.test\.ts$|(^|\/)testing\/|^api\.ts$/.test(file));
  const modules = await Promise.all(
    files.toSorted().map((file) => import(join(import.meta.dirname, file)) as Promise<Record<string, unknown>>),
  );
  const entries = modules.flatMap((module) => Object.entries(module));
  const names = new Map(entries.flatMap(([name, value]) => (isSchema(value) ? [[value, name] as const] : [])));
  const lines = entries.flatMap(([name, value]) => {
    if (isSchema(value)) return [`${name} = ${wordsOf(value, names)}`];
    if (!isEndpoint(value)) return [];
    return (["params", "query", "body", "data"] as const).flatMap((part) => {
      const schema = value[part];
      return isSchema(schema) ? [`${name} ${part}: ${names.get(schema) ?? wordsOf(schema, names)}`] : [];
    });
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("testing/kept-shapes.txt");
});
