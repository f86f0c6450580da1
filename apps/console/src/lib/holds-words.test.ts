import type { Found } from "@busbar/contract/system/find.ts";
import { expect, test } from "vitest";
import { holdsWords } from "./holds-words.ts";

const nothing = {
  serialNumber: "",
  formerSerialNumber: "",
  locationName: "",
  facilityName: "",
  customerName: "",
  customerCode: "",
  username: "",
  firstName: "",
  lastName: "",
};

test("what was found for another text is not shown for this one", () => {
  const node: Found = { ...nothing, kind: "node", id: "10600", serialNumber: "10600", locationName: "Kiln Fan" };
  expect(["106", "FAN 106", "10605", "fan saw"].map((text) => holdsWords(node, text))).toEqual([true, true, false, false]);
});
