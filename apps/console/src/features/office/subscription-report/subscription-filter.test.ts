import { describe, expect, test } from "vitest";
import { filterSubscriptions } from "./subscription-filter.ts";

const row = (firstName: string, username: string, customerName: string, ...facilities: string[]) => ({
  firstName,
  lastName: "Berg",
  username,
  customerName,
  frequency: "Daily" as const,
  subscribedFacilityList: facilities.map((name) => ({ name })),
});
const rows = [
  row("Kim", "kberg", "Rowan Mills", "North Works", "South Works"),
  row("Ash", "aberg", "Elm Mining", "Pit", "South Pit"),
  row("Ida", "ida", "Elm Mining"),
];
const found = (filterText: string, facilityFilterText = "") =>
  filterSubscriptions(rows, { filterText, facilityFilterText }).map((each) => [
    each.username,
    ...each.subscribedFacilityList.map(({ name }) => name),
  ]);

describe("REP-04 the subscription filters", () => {
  test.each([
    ["", ["kberg", "aberg", "ida"]],
    ["kim berg", ["kberg"]],
    [" ELM ", ["aberg", "ida"]],
    ["ABERG", ["aberg"]],
    ["works", []],
    ["south", []],
  ])("general text %j finds %j", (text, usernames) => {
    expect(found(text).map(([username]) => username)).toEqual(usernames);
  });

  test("the facility text trims the listed facilities and drops rows without any", () => {
    expect(found("", "SOUTH")).toEqual([
      ["kberg", "South Works"],
      ["aberg", "South Pit"],
    ]);
    expect(found("elm", " pit ")).toEqual([["aberg", "Pit", "South Pit"]]);
    expect(found("elm", "works")).toEqual([]);
  });
});
