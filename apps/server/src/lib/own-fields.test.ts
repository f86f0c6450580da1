import { expect, test } from "vitest";
import { refuseOtherValues } from "./own-fields.ts";

test("a field of the server may be repeated and left out, not changed", () => {
  const present = { id: 7, made: [1, { a: 2 }], name: "x" };
  const own = { id: true, made: true };
  for (const body of [{}, { id: 7, made: [1, { a: 2 }] }, { name: "y" }, { id: undefined }])
    expect(() => refuseOtherValues(present, body, own)).not.toThrow();
  expect(() => refuseOtherValues(present, { name: "y", made: [1, { a: 3 }] }, own)).toThrow("made: cannot be changed here");
  expect(() => refuseOtherValues(present, { id: null }, own)).toThrow("id: cannot be changed here");
});
