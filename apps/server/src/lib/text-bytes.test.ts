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

test("memory that was given back serves a text that fills at least half of it, the newest pieces only", () => {
  const memory = new TextMemory(2);
  const [first, second, third] = [memory.take(10), memory.take(100), memory.take(1_000)] as const;
  for (const piece of [first, second, third]) memory.giveBack(piece);
  expect(memory.take(10)).not.toBe(first);
  expect(memory.take(49)).not.toBe(second);
  expect(memory.take(101)).not.toBe(second);
  expect(memory.take(50)).toBe(second);
  expect(memory.take(50)).not.toBe(second);
  expect(memory.take(1_000)).toBe(third);
});
