import { expect, test } from "vitest";
import * as z from "zod/mini";
import { enterInstant, instantOf } from "./entered-instant.ts";
import { mustMatch, notBlankText, requiredText, textLike } from "./text-rules.ts";
import { visibleText } from "./visible-text.ts";

test("an instant that no one touched stays what it was; another text or zone is read by the clocks of the zone", () => {
  // The second of two half past one.
  const entered = enterInstant(1_793_518_200.25, "America/Chicago");
  expect(entered).toEqual({ timestamp: 1_793_518_200.25, timezone: "America/Chicago", text: "2026-11-01 01:30:00" });
  expect(instantOf(entered.text, "America/Chicago", entered)).toEqual({ timestamp: 1_793_518_200.25 });
  expect(instantOf(entered.text, "UTC", entered)).toEqual({ timestamp: Date.UTC(2026, 10, 1, 1, 30) / 1000 });
  expect(instantOf("2026-11-01 03:30:00", "America/Chicago", entered)).toEqual({ timestamp: Date.UTC(2026, 10, 1, 9, 30) / 1000 });
  expect(instantOf("yesterday", "UTC")).toHaveProperty("problem");
});

test("COM-09 what texts must be", () => {
  const wrongOf = (schema: z.ZodMiniType, value: unknown) =>
    schema.safeParse(value).error?.issues.map(({ message, path }) => [...path, message].join(": ")) ?? [];
  expect(["", " ", "a"].map((text) => wrongOf(requiredText(), text))).toEqual([["Required"], [], []]);
  expect(["", " \n", " a"].map((text) => wrongOf(notBlankText(), text))).toEqual([["Required"], ["Required"], []]);
  expect(["", "ab", "a1"].map((text) => wrongOf(textLike(/^[a-z]+$/, "Letters only"), text))).toEqual([[], [], ["Letters only"]]);
  const twice = z.object({ one: z.string(), again: z.string() }).check(mustMatch("again", "one", "Not the same"));
  expect([wrongOf(twice, { one: "a", again: "a" }), wrongOf(twice, { one: "a", again: "b" })]).toEqual([[], ["again: Not the same"]]);
});

test("characters of a device's text that would not be seen are made visible; line ends stay", () => {
  expect(visibleText("a\tb\nc\r\nd")).toBe("a\tb\nc\r\nd");
  expect(visibleText("a\u0000b\u001Bc\u007Fd\re")).toBe("a\u2400b\u241Bc\u2421d\u240De");
  expect(visibleText("a\u202Eb\u200Bc\uFEFF")).toBe("a‹U+202E›b‹U+200B›c‹U+FEFF›");
  expect(visibleText("é漢–")).toBe("é漢–");
});
