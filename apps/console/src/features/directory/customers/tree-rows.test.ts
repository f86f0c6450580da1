import { describe, expect, test } from "vitest";
import { customerOf, facilityOf, locationOf, nodeOf } from "./customers.fixture.ts";
import { actionsOf } from "./tree-actions.ts";
import { growBranches } from "./tree-branches.ts";
import { visibleTree } from "./tree-rows.ts";

const retired = {
  serialNumber: "19001",
  facilityName: "Old Yard",
  siteName: "Silo",
  retiredCustomer: "",
  retiredFacility: "",
  retiredLocation: "",
  decommissionedTimestamp: 0,
};

const branches = growBranches([
  customerOf(2, "willow", "Willow Paper", [
    facilityOf(20, "Mill 10", [locationOf(200, "Press", [nodeOf("20201")])]),
    facilityOf(21, "Mill 2", [
      locationOf(210, "Pump 10", [nodeOf("20211"), nodeOf("20212")]),
      locationOf(211, "Pump 9", [nodeOf("20213")]),
    ]),
    facilityOf(22, "Empty Yard"),
  ]),
  customerOf(1, "alder", "Alder Pumping", [facilityOf(10, "North Works", [locationOf(100, "Feed Pump", [nodeOf("10101")])])], {
    decommissionedNodes: [retired],
  }),
]);

const all = () => true;
/** Labels of the visible rows, each behind as many dots as it is deep. */
const labels = (filterText: string, isExpanded: (key: string) => boolean = all) =>
  visibleTree(branches, filterText, isExpanded).rows.map(({ branch }) => `${".".repeat(branch.level - 1)}${branch.label}`);

describe("CUS-02 the filter", () => {
  test("finds words in the customer's code and name, facility, location and serial numbers, small or capital", () => {
    const pump10 = ["Willow Paper", ".Mill 2", "..Pump 10", "...20211", "...20212"];
    for (const text of ["20212", "WILLOW 20211", "mill pump 10", "paper  PUMP   10\t", "willow Pump 10 mill 2"]) {
      expect([text, labels(text)]).toEqual([text, pump10]);
    }
    expect(labels("alder")).toEqual(["Alder Pumping", ".North Works", "..Feed Pump", "...10101", ".Decommissioned nodes", "..19001"]);
    for (const text of ["19001", "old yard", "silo"]) expect(labels(text)).toEqual(["Alder Pumping", ".Decommissioned nodes", "..19001"]);
    expect(labels("empty")).toEqual(["Willow Paper", ".Empty Yard"]);
  });

  test("wants every word at the same location, and no word reaches over the border of two names", () => {
    for (const text of ["alder press", "20201 20213", "millpump", "workspump", "paperpress", "mill 9 press", "nothing"]) {
      expect([text, labels(text)]).toEqual([text, []]);
    }
  });

  test("of blanks alone is none", () => {
    expect(labels("  \t")).toEqual(labels(""));
  });

  test("special characters are letters like others", () => {
    for (const text of [".*", "(", "\\", "[a-z]", "%", "__proto__"]) expect(labels(text)).toEqual([]);
  });
});

test("names are in the order in which people count, customers by name", () => {
  expect(labels("", (key) => key === "c2" || key === "f21")).toEqual([
    "Alder Pumping",
    "Willow Paper",
    ".Empty Yard",
    ".Mill 2",
    "..Pump 9",
    "..Pump 10",
    ".Mill 10",
  ]);
});

test("what is shown is counted, and each row knows its place among its visible brothers", () => {
  expect(visibleTree(branches, "pump", all)).toMatchObject({ shownLocations: 3, totalLocations: 4 });
  expect(visibleTree(branches, "", () => false)).toMatchObject({ shownLocations: 4, totalLocations: 4, rows: { length: 2 } });
  const { rows } = visibleTree(branches, "pump 10 willow", all);
  expect(rows.map(({ place, count, hasMore, isExpanded }) => [place, count, hasMore, isExpanded])).toEqual([
    [1, 1, true, true],
    [1, 1, true, true],
    [1, 1, true, true],
    [1, 2, false, false],
    [2, 2, false, false],
  ]);
});

test("a location leads to the trends of its nodes, but of those only that measure, and not where there is none", () => {
  const trendsAt = (nodes: Parameters<typeof locationOf>[2]) => {
    const facility = facilityOf(1, "Works", [locationOf(1, "Pump", nodes)]);
    const customer = customerOf(1, "alder", "Alder", [facility]);
    const item = { kind: "location", customer, facility, location: facility.locations[0]! } as const;
    return actionsOf(item, { mayMoveLocations: false }).flatMap((action) => ("href" in action ? [action.label, action.href] : []));
  };
  const relay = { ...nodeOf("10103"), type: "SEL" };
  expect(trendsAt([nodeOf("10101"), nodeOf("10102"), relay])).toEqual(["Trends of Pump", "#/trends?series=10101:current,10102:current"]);
  expect(trendsAt([relay])).toEqual([]);
});
