import type { ShownSetting } from "@busbar/contract/system/system-config.ts";
import { expect, test } from "vitest";
import { changesOf, edited, editsOf, textsOf, typedOf } from "./setting-edits.ts";

const setting = (value: string, isSecret = false): ShownSetting => ({
  value,
  type: "text",
  description: "",
  isSecret,
  isDefault: false,
  revision: 1,
});
const settings = { Own_b: setting("two"), Own_a: setting("one"), Own_key: setting("****", true) };

test("an edit keeps the value that it began from, and is none once the field says again what it said", () => {
  const first = edited({}, "Own_a", settings.Own_a, "on");
  expect(first).toEqual({ Own_a: { text: "on", base: "one" } });
  // Someone else saved meanwhile.
  const next = edited(first, "Own_a", setting("three"), "onn");
  expect(next).toEqual({ Own_a: { text: "onn", base: "one" } });
  expect(edited(next, "Own_a", settings.Own_a, "one")).toEqual({});
  expect(typedOf("Own_a", settings.Own_a, next)).toBe("onn");
  expect(typedOf("Own_b", settings.Own_b, next)).toBe("two");
});

test("a save sends every setting, and its changes are those that differ, in the order of the settings", () => {
  const edits = { Own_a: { text: "1", base: "one" }, Own_b: { text: "2", base: "two" }, Own_key: { text: "****", base: "****" } };
  expect(textsOf(settings, edits)).toEqual({ Own_b: "2", Own_a: "1", Own_key: "****" });
  expect(changesOf(settings, edits)).toEqual([
    { name: "Own_b", before: "two", after: "2" },
    { name: "Own_a", before: "one", after: "1" },
  ]);
});

test("values that are put back become edits where they differ; secrets, unknown names and what is no text do not", () => {
  expect(editsOf(settings, { Own_a: "zero", Own_b: "two", Own_key: "secret", Own_gone: "x" })).toEqual({
    Own_a: { text: "zero", base: "one" },
  });
  expect(editsOf(settings, { Own_a: 7 })).toEqual({});
});
