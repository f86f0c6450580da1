import { expect, test } from "vitest";
import { say, Sentence } from "./sentence.ts";

test("USR-11 a sentence knows its own words from what was inserted, by name where it has one, also inside another", () => {
  const place = say`${{ locationName: "Kiln 2" }} of node ${10_234}`;
  const sentence = say`Nothing at ${place}, said ${"pat"}; ${{ username: "kim", email: "k@x" }}`;
  expect(sentence).toBeInstanceOf(Sentence);
  expect(String(sentence)).toBe("Nothing at Kiln 2 of node 10234, said pat; kim k@x");
  expect(sentence.toString((text, name) => `<${name}:${text}>`)).toBe(
    "Nothing at <locationName:Kiln 2> of node <:10234>, said <:pat>; <username:kim> <email:k@x>",
  );
});
