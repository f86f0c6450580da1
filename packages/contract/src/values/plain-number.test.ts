import { describe, expect, test } from "vitest";
import { LocationForm, nameplateNames } from "../directory/locations.ts";
import { nodeFormSchema } from "../directory/node-fields.ts";
import { numberProblem, readPlainNumber } from "./plain-number.ts";

describe("A-28 what is wrong with a number", () => {
  test.each([
    ["12,5", "has a comma: a number has a point before its decimals, such as 12.5"],
    ["1,000", "has a comma: a number has a point before its decimals, such as 12.5"],
    ["abc", "is not a number: write digits, with a point before decimals, such as 12.5"],
    ["12 kV", "is not a number: write digits, with a point before decimals, such as 12.5"],
    ["1e3", "is not a number: write digits, with a point before decimals, such as 12.5"],
    ["1.2.3", "is not a number: write digits, with a point before decimals, such as 12.5"],
    [" ", "is required: a number"],
  ])("%j %s", (text, problem) => {
    const value = readPlainNumber(text);
    expect(typeof value).toBe("string");
    expect(numberProblem(value)).toBe(problem);
  });

  const forms = [
    { name: "node", shape: nodeFormSchema().shape, isOptional: false },
    { name: "location", shape: LocationForm.shape, isOptional: true },
  ];
  const numbersOf = (shape: (typeof forms)[number]["shape"]) =>
    Object.entries(shape).filter(
      ([, schema]) => schema.safeParse(2).success || schema.safeParse(2.5).success || schema.safeParse(60).success,
    );

  test("every number of a form says it", () => {
    const found = forms.flatMap(({ shape }) => numbersOf(shape));
    expect(found.length).toBeGreaterThan(14 + nameplateNames.length);
    const times = ["equipmentStartTimestamp"]; // typed as a date
    for (const [field, schema] of found.filter(([name]) => !times.includes(name))) {
      expect([field, schema.safeParse("12,5").error?.issues[0]?.message]).toEqual([field, expect.stringContaining("has a comma")]);
      expect([field, schema.safeParse("abc").error?.issues[0]?.message]).toEqual([field, expect.stringContaining("is not a number")]);
    }
  });
});
