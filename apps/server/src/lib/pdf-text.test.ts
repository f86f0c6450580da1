import { expect, test } from "vitest";
import { free } from "./pdf-text.ts";

test.each<[string, [text: string, font: string][]]>([
  ["", []],
  ["Pump 1 – Käfer", [["Pump 1 – Käfer", "Roboto"]]],
  ["水泵", [["水泵", "Unifont"]]],
  [
    "Pump 水泵 1 泵",
    [
      ["Pump ", "Roboto"],
      ["水泵", "Unifont"],
      [" 1 ", "Roboto"],
      ["泵", "Unifont"],
    ],
  ],
  // Two characters of one letter are that letter; what no one sees is left out.
  ["Ka\u0308fer", [["Käfer", "Roboto"]]],
  ["a\u0000b\u200bc\u202ed\n", [["abcd", "Roboto"]]],
  [
    "a😀b",
    [
      ["a", "Roboto"],
      ["\u{fffd}", "Unifont"],
      ["b", "Roboto"],
    ],
  ],
])("A-63 each letter of %j is in a font that has it", (text, runs) => {
  expect(free(text)).toEqual({ text: runs.map(([run, font]) => ({ text: run, font })) });
});
