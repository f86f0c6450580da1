import { nothingFound, type Found } from "@busbar/contract/system/find.ts";
import { expect, test } from "vitest";
import { holdsWords } from "./holds-words.ts";

test("what was found for another text is not shown for this one", () => {
  const node: Found = { ...nothingFound, kind: "node", id: "10600", serialNumber: "10600", locationName: "Kiln Fan" };
  expect(["106", "FAN 106", "10605", "fan saw"].map((text) => holdsWords(node, text))).toEqual([true, true, false, false]);
});
