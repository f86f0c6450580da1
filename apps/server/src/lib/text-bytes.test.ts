import { expect, test } from "vitest";
import { TextBytes, TextMemory } from "./text-bytes.ts";

test.each([0, 1, 10, 1_000])("pieces are one text, whatever they hold and whether %i bytes were expected", (expected) => {
  const pieces = ["", "plain", "Łódź", "日本", "🙂", "x".repeat(300), "é"];
  const bytes = new TextBytes(expected, new TextMemory(1));
  for (const piece of pieces) bytes.add(piece);
  expect(bytes.whole().toString()).toBe(pieces.join(""));
});

test("what was expected needs no second memory", () => {
  const bytes = new TextBytes(12, new TextMemory(1));
  for (const piece of ["1234", "5678", "9012"]) bytes.add(piece);
  expect([bytes.whole().toString(), bytes.whole().buffer.byteLength]).toEqual(["123456789012", 12]);
});

test("memory that was given back serves a text that fills at least half of it, the largest pieces only", () => {
  const memory = new TextMemory(2);
  const [small, first, second, third] = [65_535, 65_536, 200_000, 3_000_000].map((bytes) => memory.take(bytes)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  memory.giveBack(small);
  expect(memory.take(60_000)).not.toBe(small);
  memory.giveBack(first);
  expect(memory.take(65_536)).toBe(first);
  for (const piece of [third, second, first]) memory.giveBack(piece);
  expect(memory.take(65_536)).not.toBe(first);
  expect(second.length).toBe(7 * 32_768);
  for (const unfit of [3.5 * 32_768 - 1, 7 * 32_768 + 1]) expect(memory.take(unfit)).not.toBe(second);
  expect(memory.take(200_001)).toBe(second);
  expect(memory.take(200_001)).not.toBe(second);
  expect(memory.take(3_000_000)).toBe(third);
});
