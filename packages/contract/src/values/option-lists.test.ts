import { expect, test } from "vitest";
import { isExternalNodeType } from "./option-lists.ts";

test("DSH-12 types other than Node, subNode, SEL and GERelay count as external", () => {
  for (const type of ["Node", "subNode", "SEL", "GERelay"]) expect(isExternalNodeType(type)).toBe(false);
  for (const type of ["External", "node", "", "SEL ", "__proto__"]) expect(isExternalNodeType(type)).toBe(true);
});
