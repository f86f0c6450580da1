import { expect, test } from "vitest";
import { Updates } from "./updates.ts";

test.each([
  ["a list", ["Faster lists", "Fewer clicks"], ["Faster lists", "Fewer clicks"]],
  ["a plain text", "Faster lists", ["Faster lists"]],
  ["a text of lines", "Faster lists\r\n\nFewer clicks\n", ["Faster lists", "Fewer clicks"]],
  ["an empty text", "", []],
  ["something else", { en: "Faster" }, []],
  ["nothing", undefined, []],
])("A-28 a newer version is known when its release notes are %s", (_name, releaseNotes, lines) => {
  expect(Updates.parse({ version: 269, releaseNotes })).toEqual({ version: 269, releaseNotes: lines });
});

test("A-28 a newer version is known without release notes", () => {
  expect(Updates.parse({ version: 269 })).toEqual({ version: 269, releaseNotes: [] });
});

test("ENV-07 a version that is no number is refused", () => {
  expect(Updates.safeParse({ version: "269", releaseNotes: [] }).success).toBe(false);
});
