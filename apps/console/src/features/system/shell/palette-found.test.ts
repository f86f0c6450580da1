import { nothingFound, type Found } from "@busbar/contract/system/find.ts";
import { expect, test } from "vitest";
import { itemsOfFound } from "./palette-found.ts";
const itemsOf = (found: Partial<Found> & Pick<Found, "kind" | "id">) =>
  itemsOfFound([{ ...nothingFound, ...found }]).map(({ label, detail, path, service }) => [label, detail, path, service]);

test("what was found leads to where it is shown, and says what it is", () => {
  const place = { locationName: "Fan #2", facilityName: "Works", customerName: "Alder" };
  expect(itemsOf({ kind: "node", id: "10604", serialNumber: "10604", ...place })).toEqual([
    ["10604", "node, Fan #2, Works, Alder", "/nodes/10604", undefined],
  ]);
  expect(itemsOf({ kind: "location", id: "7", ...place })).toEqual([
    ["Fan #2", "location, Works, Alder", "/customers?filterText=Fan%20%232", undefined],
  ]);
  expect(itemsOf({ kind: "facility", id: "7", ...place })).toEqual([["Works", "facility, Alder", "/facilities/7", undefined]]);
  expect(itemsOf({ kind: "user", id: "7", username: "kim", firstName: "Kim", lastName: "Lee" })).toEqual([
    ["kim", "user, Kim Lee", "/users/7", undefined],
  ]);
  expect(itemsOf({ kind: "customer", id: "7", customerName: "Alder & Co", customerCode: "alder" })).toEqual([
    ["Alder & Co", "customer, alder", "/customers?filterText=Alder%20%26%20Co", undefined],
  ]);
  expect(itemsOf({ kind: "file", id: "10604_17 A" })).toEqual([["10604_17 A", "file", "/node-dashboard/files/10604_17%20A", undefined]]);
  expect(itemsOf({ kind: "setting", id: "mail_from" })).toEqual([["mail_from", "setting", "/system/config", undefined]]);
});

test("a service can be run", () => {
  expect(itemsOf({ kind: "service", id: "BillingRoll" })).toEqual([
    ["BillingRoll", "service", "/system/services", undefined],
    ["Run BillingRoll", "action", "/system/services", "BillingRoll"],
  ]);
});
