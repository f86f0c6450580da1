import { expect, test } from "vitest";
import { uniqueOptions } from "./unique-options.ts";

test("A-02 of options of one value the first stays, also across groups and between a text and an option", () => {
  expect(uniqueOptions(undefined)).toEqual([]);
  expect(
    uniqueOptions([
      { value: "", label: "(none)" },
      "18003",
      { value: "18003", label: "18003 · M" },
      { group: "Mill", items: [{ value: "1", label: "one" }, "2", { value: "1", label: "uno" }, "18003"] },
      { group: "Empty", items: ["2"] },
      { value: "", label: "(blank)" },
    ]),
  ).toEqual([
    { value: "", label: "(none)" },
    "18003",
    { group: "Mill", items: [{ value: "1", label: "one" }, "2"] },
    { group: "Empty", items: [] },
  ]);
});
