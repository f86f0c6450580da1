import { expect, test } from "vitest";
import { previewOf } from "./csv-preview.ts";

test("a preview is the whole of a short text and the first 201 lines, heading included, of a long one", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}\r\n`).join("");
  expect(previewOf("")).toEqual({ text: "", isCut: false });
  expect(previewOf(lines(201))).toEqual({ text: lines(201), isCut: false });
  expect(previewOf(lines(202))).toEqual({ text: lines(201), isCut: true });
});
