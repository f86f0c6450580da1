import { expect, test } from "vitest";
import { verdictLabels } from "./verdict-words.tsx";

test("no two verdicts go by one word", () => {
  const words = Object.values(verdictLabels);
  expect(words).toEqual([...new Set(words)]);
});
