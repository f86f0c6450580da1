import { expect, test } from "vitest";
import * as z from "zod/mini";
import { cellText, checked, givenChanges } from "./record-import.ts";

test("A-63 what a file gives is shown by the names of its columns, flags in words, and nothing where it gives nothing", () => {
  const values = { name: "Kiln", count: 7, isOn: true, isOff: false };
  expect(givenChanges({ name: "Name", count: "Count", isOn: "On", isOff: "Off" }, values)).toEqual([
    { column: "Name", before: "", after: "Kiln" },
    { column: "Count", before: "", after: "7" },
    { column: "On", before: "", after: "yes" },
    { column: "Off", before: "", after: "no" },
  ]);
  expect([cellText(null), cellText(undefined), cellText(0)]).toEqual(["", "", "0"]);
});

test("A-63 the first field that is wrong is named", () => {
  const schema = z.object({ name: z.string(), count: z.number("is a number") });
  expect(checked(schema, { name: "a", count: 1 })).toEqual({ name: "a", count: 1 });
  expect(() => checked(schema, { name: "a", count: "x" })).toThrow("count: is a number");
});
