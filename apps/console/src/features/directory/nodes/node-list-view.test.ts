import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { describe, expect, test } from "vitest";
import { criteriaOf, everything, searchOf, sortKeys, sortedBy, type NodeListCriteria } from "./node-list-criteria.ts";
import { matchingPlaces, placeChoices, recordsOf, selectRecords } from "./node-list-view.ts";

const plain = criteriaOf({});
let serial = 10_000;
const row = (part: Partial<NodeListRow> = {}): NodeListRow =>
  ({
    serialNumber: String(++serial),
    customerId: 1,
    customerCode: "alder",
    customerName: "Alder Pumping",
    facilityId: 11,
    facilityName: "North Works",
    locationName: "Feed Pump",
    currentDeploymentStatus: "Deployed",
    newDeploymentStatus: "Deployed",
    dataPointInterval: 900,
    notifyOnConnect: false,
    notifyOnCurrentAboveNoise: false,
    showRawPower: false,
    ...part,
  }) as NodeListRow;
const found = (rows: NodeListRow[], part: Partial<NodeListCriteria>) =>
  selectRecords(recordsOf(rows), { ...plain, ...part }).map((record) => record.serial);

describe("NOD-01 search", () => {
  const rows = [
    row({ serialNumber: "20001" }),
    row({ serialNumber: "20002", customerCode: "birchw" }),
    row({ serialNumber: "20003", customerName: "Cedar Gypsum" }),
    row({ serialNumber: "20004", facilityName: "South Mill" }),
    row({ serialNumber: "20005", locationName: "Öl Kompressor" }),
  ];
  test("looks at serial number, customer code, customer name, facility and location", () => {
    const pairs = [
      ["20001", "20001"],
      ["BIRCH", "20002"],
      ["gypsum", "20003"],
      ["south mill", "20004"],
      ["mill  SOUTH", "20004"],
      ["öl", "20005"],
    ];
    for (const [filterText = "", expected] of pairs) expect([filterText, found(rows, { filterText })]).toEqual([filterText, [expected]]);
    expect(found(rows, { filterText: "alder north" })).toEqual(["20001", "20002", "20003", "20005"]);
    expect(found(rows, { filterText: "nothing of it" })).toEqual([]);
  });
  test("no two fields together make a word", () => {
    expect(found([row({ customerName: "Alder", facilityName: "North" })], { filterText: "aldernorth" })).toEqual([]);
  });
});

describe("NOD-02 NOD-03 what is shown", () => {
  const rows = [
    row({ serialNumber: "30001" }),
    row({ serialNumber: "30002", currentDeploymentStatus: "Pre-Deployment", facilityId: 12, facilityName: "East Works" }),
    row({ serialNumber: "30003", currentDeploymentStatus: "Unassigned", customerId: null, facilityId: null }),
    row({ serialNumber: "30004", currentDeploymentStatus: "Decommissioned", customerId: 2, customerName: "Birch", facilityId: null }),
  ];
  test("Deployed and Pre-Deployment at first", () => {
    expect(found(rows, {})).toEqual(["30001", "30002"]);
    expect(found(rows, everything)).toHaveLength(4);
    expect(found(rows, { show: new Set(["Unassigned"]) })).toEqual(["30003"]);
    expect(found(rows, { show: new Set() })).toEqual([]);
  });
  test("a customer's or a facility's nodes", () => {
    expect(found(rows, { ...everything, place: "customer-1" })).toEqual(["30001", "30002"]);
    expect(found(rows, { ...everything, place: "customer-2" })).toEqual(["30004"]);
    expect(found(rows, { ...everything, place: "facility-12" })).toEqual(["30002"]);
    expect(found(rows, { ...everything, place: "facility-1" })).toEqual([]);
    expect(placeChoices(recordsOf(rows))).toEqual([
      {
        group: "Alder Pumping (alder)",
        items: [
          { value: "customer-1", label: "Alder Pumping (alder): all" },
          { value: "facility-12", label: "East Works" },
          { value: "facility-11", label: "North Works" },
        ],
      },
      { group: "Birch (alder)", items: [{ value: "customer-2", label: "Birch (alder): all" }] },
    ]);
  });

  test("are found by the words of the customer and the facility, also those at the end of a long list", () => {
    const all = { value: "all", label: "All Facilities" };
    const group = (name: string, ...facilities: string[]) => ({ group: name, items: facilities.map((label) => ({ value: label, label })) });
    const places = [all, ...Array.from({ length: 400 }, (_, index) => group(`Customer ${index}`, "Mill")), group("Zinc", "Mill", "Yard")];
    expect(matchingPlaces(places, "mill ZINC", 300)).toEqual([group("Zinc", "Mill")]);
    expect(matchingPlaces(places, "yard", 300)).toEqual([group("Zinc", "Yard")]);
    expect(matchingPlaces(places, "zinc", 300)).toEqual([group("Zinc", "Mill", "Yard")]);
    expect(matchingPlaces(places, "facilities", 300)).toEqual([all]);
    expect(matchingPlaces(places, "", 300)).toHaveLength(300);
    expect(matchingPlaces(places, "no such", 300)).toEqual([]);
  });
});

describe("NOD-05 sorting", () => {
  const rows = [
    row({ serialNumber: "40003", dataPointInterval: 60, customerName: "alder", facilityName: "B", notifyOnConnect: true }),
    row({ serialNumber: "40001", dataPointInterval: 900, customerName: "Birch", showRawPower: true, newDeploymentStatus: "Unassigned" }),
    row({ serialNumber: "40002", dataPointInterval: 60, customerName: "Alder", facilityName: "A", notifyOnCurrentAboveNoise: true }),
    row({ serialNumber: "40004", dataPointInterval: 300, currentDeploymentStatus: "Pre-Deployment", notifyOnConnect: true }),
  ];
  const order = (sort: NodeListCriteria["sort"], isDescending: boolean) => found(rows, { sort, isDescending });
  test("by each key both ways, equal ones always by ascending serial number", () => {
    expect(order("serial", false)).toEqual(["40001", "40002", "40003", "40004"]);
    expect(order("serial", true)).toEqual(["40004", "40003", "40002", "40001"]);
    expect(order("interval", false)).toEqual(["40002", "40003", "40004", "40001"]);
    expect(order("interval", true)).toEqual(["40001", "40004", "40002", "40003"]);
    expect(order("customer", false)).toEqual(["40002", "40003", "40004", "40001"]);
    expect(order("status", false)).toEqual(["40001", "40002", "40003", "40004"]);
    expect(order("status", true)).toEqual(["40004", "40001", "40002", "40003"]);
    expect(order("awaiting", true)).toEqual(["40001", "40004", "40002", "40003"]);
    expect(order("onConnect", true)).toEqual(["40003", "40004", "40001", "40002"]);
    expect(order("onConnect", false)).toEqual(["40001", "40002", "40003", "40004"]);
    expect(order("onCurrent", true)).toEqual(["40002", "40001", "40003", "40004"]);
    expect(order("rawPower", true)).toEqual(["40001", "40002", "40003", "40004"]);
  });
  test("serial number, interval, customer and status begin ascending, the others descending; again turns round", () => {
    for (const sort of sortKeys.filter((key) => key !== "serial")) {
      const first = sortedBy(plain, sort);
      const isAscending = ["interval", "customer", "status"].includes(sort);
      expect([sort, first.isDescending, sortedBy(first, sort).isDescending]).toEqual([sort, !isAscending, isAscending]);
    }
    expect(sortedBy(plain, "serial").isDescending).toBe(true);
    expect(sortedBy({ ...plain, sort: "rawPower", isDescending: true }, "serial").isDescending).toBe(false);
  });
});

test("NOD-01 the address holds everything and gives it back; what is at its default is left out", () => {
  expect(searchOf(plain)).toEqual({});
  const texts = [
    { filterText: "10001" },
    { show: "Unassigned,Decommissioned", place: "facility-3", columns: "all" },
    { show: "none", sort: "rawPower" },
    { sort: "rawPower", order: "asc" },
    { sort: "customer", order: "desc" },
    { order: "desc" },
  ];
  for (const search of texts) expect(searchOf(criteriaOf(search))).toEqual(search);
  const odd = { show: "Lost,1", place: "customer-1 or 1", sort: "__proto__", order: "up", filterText: 5, columns: 5 };
  expect(criteriaOf(odd)).toEqual({ ...plain, show: new Set() });
});
