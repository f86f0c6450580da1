import { expect, test } from "vitest";
import * as z from "zod/mini";
import { api } from "../api.ts";

interface Schema {
  _zod: { def: Record<string, unknown> };
}

/** Every field of a schema, however deep, with its name. */
function* fieldsOf(
  schema: unknown,
  path: string,
  seen = new Set<unknown>(),
): Generator<[path: string, name: string, schema: z.ZodMiniType]> {
  if (typeof schema !== "object" || schema === null || !("_zod" in schema) || seen.has(schema)) return;
  seen.add(schema);
  const { def } = (schema as Schema)._zod;
  for (const [name, field] of Object.entries((def["shape"] as object | undefined) ?? {})) {
    yield [`${path}.${name}`, name, field as z.ZodMiniType];
    yield* fieldsOf(field, `${path}.${name}`, seen);
  }
  for (const inner of ["element", "innerType", "valueType", "in", "out", "left", "right"]) yield* fieldsOf(def[inner], path, seen);
  for (const list of ["items", "options"]) for (const each of (def[list] as unknown[] | undefined) ?? []) yield* fieldsOf(each, path, seen);
}

const isTime = (name: string) => /timestamp/i.test(name) && !/displayTimestamp/i.test(name);
/** What the node itself published, in its milliseconds. */
const raw = "getRawMetering.metrics.timestamp";

test("A-28 every time of every answer is whole seconds", () => {
  const times = Object.entries(api).flatMap(([call, { data }]) => [...fieldsOf(data, call)].filter(([, name]) => isTime(name)));
  expect(times.length).toBeGreaterThan(60);
  const takes = (schema: z.ZodMiniType, time: number) => [time, [time]].some((value) => z.safeParse(schema, value).success);
  const fractions = times.filter(([, , schema]) => takes(schema, 1_790_000_000.5) || !takes(schema, 1_790_000_000));
  expect(fractions.map(([path]) => path)).toEqual([raw]);
});
