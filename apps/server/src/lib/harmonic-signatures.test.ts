import { expect, test } from "vitest";
import { readSignatures, toStored, toTexts } from "./harmonic-signatures.ts";

test("signatures go from the wire to the store and back", () => {
  const wire: [string, string][] = [
    ["Bearing", "29.5;59"],
    ["Belt", "8"],
  ];
  const stored = [
    ["Bearing", [29.5, 59]],
    ["Belt", [8]],
  ];
  expect([toStored(wire), toTexts(stored)]).toEqual([stored, wire]);
  expect(readSignatures(stored)).toEqual([
    { name: "Bearing", frequencies: [29.5, 59] },
    { name: "Belt", frequencies: [8] },
  ]);
});

test("one text of frequencies serves as well; what cannot be read is not shown, and is an error by name where it is judged", () => {
  expect(readSignatures([["Belt", "8;16"]])).toEqual([{ name: "Belt", frequencies: [8, 16] }]);
  const broken = [["Belt", "8;x"], [7, [8]], ["Fan", 8], "Fan", null, ["Fan", [8, null]]];
  for (const one of broken) {
    expect(toTexts([one, ["Good", [1]]])).toEqual([["Good", "1"]]);
    expect(() => readSignatures([["Good", [1]], one])).toThrow(
      `A harmonic signature of the location cannot be read: ${JSON.stringify(one)}`,
    );
  }
  expect(toTexts({})).toEqual([]);
  expect(() => readSignatures({ a: 1 })).toThrow('A harmonic signature of the location cannot be read: {"a":1}');
});
