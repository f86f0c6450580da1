import { describe, expect, test } from "vitest";
import { truncate } from "./user-cells.tsx";
import { criteriaOf, customerNameOf, filterRecords, namesByCode, recordsOf, searchOf, sortRecords } from "./user-list.ts";
import { sampleUser } from "./users.fixture.ts";

const names = namesByCode([
  { id: 1, code: "alder", name: "Alder Pumping" },
  { id: 2, code: "birch", name: "Birch Milling" },
]);

describe("USR-02 the customer's name", () => {
  test("is derived from the code", () => {
    expect(customerNameOf("alder", names)).toBe("Alder Pumping");
    expect(customerNameOf("alder", undefined)).toBe("(Name not loaded)");
    expect(customerNameOf("cedar", names)).toBe("(cedar: No match)");
    expect(customerNameOf("", names)).toBe("");
  });
});

describe("USR-02 the search", () => {
  const records = recordsOf(
    [
      sampleUser(1, { username: "rowan.a", firstName: "Rowan", lastName: "Ashdown", email: "ra@one.example", customerCode: "alder" }),
      sampleUser(2, { username: "wren.b", firstName: "Wren", lastName: "Blackwood", email: "wb@two.example", customerCode: "birch" }),
    ],
    names,
  );
  const found = (text: string) => filterRecords(records, text).map(({ user }) => user.id);

  test.each([
    ["ROWAN", [1]],
    ["blackw", [2]],
    ["wren.b", [2]],
    ["two.example", [2]],
    ["birch", [2]],
    ["pumping", [1]],
    ["Rowan Ashdown", [1]],
    ["ashdown milling", []],
    ["example", [1, 2]],
    ["  ", [1, 2]],
    ["absent", []],
  ])("%j finds %j", (text, ids) => expect(found(text)).toEqual(ids));
});

test("USR-01 every column sorts both ways, equal ones by username", () => {
  const records = recordsOf(
    [
      sampleUser(1, { username: "c", email: "B@x.example", customerCode: "birch" }),
      sampleUser(2, { username: "a", email: "c@x.example", customerCode: "alder" }),
      sampleUser(3, { username: "b", email: "a@x.example", customerCode: "birch" }),
    ],
    names,
  );
  const order = (key: "username" | "email" | "customer", isDescending = false) =>
    sortRecords(records, key, isDescending)
      .map(({ user }) => user.username)
      .join("");
  expect([order("username"), order("username", true)]).toEqual(["abc", "cba"]);
  expect([order("email"), order("email", true)]).toEqual(["bca", "acb"]);
  expect([order("customer"), order("customer", true)]).toEqual(["abc", "bca"]);
});

test.each([
  ["123456789012345678", 18, "123456789012345678"],
  ["1234567890123456789", 18, "123456789012345678…"],
  ["", 18, ""],
])("USR-01 %j is cut beyond %i characters", (text, limit, shown) => expect(truncate(text, limit)).toBe(shown));

test("what the list shows comes back from its address", () => {
  const criteria = { filterText: "a b", columns: "Username,Name", sort: "email", isDescending: true } as const;
  expect(criteriaOf(searchOf(criteria))).toEqual(criteria);
  expect(criteriaOf({ sort: "password", order: "x", filterText: 5 })).toEqual({
    filterText: "",
    columns: "",
    sort: "username",
    isDescending: false,
  });
});
