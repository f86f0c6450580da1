import { expect, test } from "vitest";
import { TextBytes } from "./text-bytes.ts";

test.each([0, 1, 10, 1_000])("pieces are one text, whatever they hold and whether %i bytes were expected", (expected) => {
  const pieces = ["", "plain", "Łódź", "日本", "🙂", "x".repeat(300), "é"];
  const bytes = new TextBytes(expected);
  for (const piece of pieces) bytes.add(piece);
  expect(bytes.whole().toString()).toBe(pieces.join(""));
});

test("what was expected needs no second memory", () => {
  const bytes = new TextBytes(12);
  for (const piece of ["1234", "5678", "9012"]) bytes.add(piece);
  expect([bytes.whole().toString(), bytes.whole().buffer.byteLength]).toEqual(["123456789012", 12]);
});
