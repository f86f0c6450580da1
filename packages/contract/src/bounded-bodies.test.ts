import { expect, test } from "vitest";
import type * as z from "zod/v4/core";
import { api } from "./api.ts";
import type { Endpoint } from "./endpoint.ts";

interface Definition {
  type: string;
  checks?: { _zod: { def: { check: string } } }[];
  element?: z.$ZodType;
  shape?: Record<string, z.$ZodType>;
  items?: z.$ZodType[];
  options?: z.$ZodType[];
  innerType?: z.$ZodType;
  valueType?: z.$ZodType;
  in?: z.$ZodType;
  out?: z.$ZodType;
  left?: z.$ZodType;
  right?: z.$ZodType;
  rest?: z.$ZodType | null;
}

/** Where a request's description lets in lists of any length. What it does not describe ends with the values that a body may have. */
function unboundedIn(schema: z.$ZodType | null | undefined, path: string): string[] {
  if (!schema) return [];
  const def = schema._zod.def as unknown as Definition;
  const hasMaximum = def.checks?.some(({ _zod }) => ["max_length", "length_equals", "max_size"].includes(_zod.def.check)) === true;
  const isOpen = (["array", "set", "map"].includes(def.type) && !hasMaximum) || (def.type === "tuple" && Boolean(def.rest));
  const parts: [string, z.$ZodType | null | undefined][] = [
    ["[]", def.element],
    ["{}", def.valueType],
    ...(["innerType", "in", "out", "left", "right", "rest"] as const).map((key): [string, z.$ZodType | null | undefined] => ["", def[key]]),
    ...Object.entries(def.shape ?? {}).map(([name, inner]): [string, z.$ZodType] => [`.${name}`, inner]),
    ...[...(def.items ?? []), ...(def.options ?? [])].map((inner): [string, z.$ZodType] => ["", inner]),
  ];
  return [...(isOpen ? [`${path} (${def.type})`] : []), ...parts.flatMap(([name, inner]) => unboundedIn(inner, path + name))];
}

test("A-46 every list that a request may hold has a largest length", () => {
  const open = Object.entries<Endpoint>(api).flatMap(([name, { body, query, params }]) => [
    ...unboundedIn(body, `${name} body`),
    ...unboundedIn(query, `${name} query`),
    ...unboundedIn(params, `${name} params`),
  ]);
  expect(open).toEqual([]);
});
