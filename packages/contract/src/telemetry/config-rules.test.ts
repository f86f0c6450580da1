import { expect, test } from "vitest";
import { channelList, choiceOf, datatypeRule, textOf, type ConfigDatatype } from "./config-rules.ts";

// what is typed, and the one spelling that it becomes; undefined is refused
test.each<[ConfigDatatype, [typed: string, spelled: string | undefined][]]>([
  [
    "Float",
    [
      ["57.6", "57.6"],
      ["-0", "0"],
      ["1e-44", "9.809089e-45"],
      ["1e-46", undefined],
      ["3.5e38", undefined],
      ["0x5", undefined],
    ],
  ],
  [
    "Double",
    [
      ["57.60", "57.6"],
      ["0e9", "0"],
      ["1e-400", undefined],
      ["1e309", undefined],
      ["NaN", undefined],
    ],
  ],
  [
    "Int8",
    [
      ["-128", "-128"],
      ["+127", "127"],
      ["128", undefined],
      ["-129", undefined],
      ["1.0", undefined],
    ],
  ],
  [
    "UInt8",
    [
      ["255", "255"],
      ["-0", "0"],
      ["-1", undefined],
      ["256", undefined],
    ],
  ],
  [
    "Int64",
    [
      ["-9223372036854775808", "-9223372036854775808"],
      ["9223372036854775808", undefined],
    ],
  ],
  [
    "UInt64",
    [
      ["18446744073709551615", "18446744073709551615"],
      ["18446744073709551616", undefined],
    ],
  ],
  [
    "Boolean",
    [
      ["true", "1"],
      ["No", "0"],
      ["2", undefined],
    ],
  ],
  [
    "UUID",
    [
      ["0B1F7F5E-3F0E-4D2C-9B59-2F4A5A1C7E11", "0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e11"],
      ["0b1f7f5e", undefined],
    ],
  ],
])("a value of the datatype %s has one spelling or is refused", (datatype, values) => {
  const { canonical } = datatypeRule(datatype);
  expect(values.map(([typed]) => [typed, canonical(typed)])).toEqual(values);
});

test("what is typed has one spelling: without the spaces around it, and a choice as the list has it", () => {
  expect([channelList.canonical(" v1i23 "), channelList.canonical("v 1"), channelList.canonical("")]).toEqual([
    "v1i23",
    undefined,
    undefined,
  ]);
  expect(textOf(/^[a-z ]+$/, "letters").canonical("\t two words ")).toBe("two words");
  expect(choiceOf(["FVNR", "VFD", ""]).canonical(" fvnr ")).toBe("FVNR");
});
