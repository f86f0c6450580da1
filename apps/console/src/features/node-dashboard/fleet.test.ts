import type { DashboardNode, NodeDashboard } from "@busbar/contract/node-dashboard.ts";
import { describe, expect, test, vi } from "vitest";
import { createFleetStore } from "./fleet-store.ts";
import { criteriaOf, searchOf, selectRecords, showKeyOf, viewVersion } from "./fleet-view.ts";
import { shorten } from "./shorten.ts";

function node(serial: number, part: Partial<DashboardNode> = {}): DashboardNode {
  return {
    serialNumber: String(serial),
    type: "Node",
    nodeConnected: true,
    notifyOnConnect: false,
    customerCode: "alder",
    customerName: "Alder Pumping",
    facilityName: "North Works",
    locationName: "Feed Pump",
    locationId: 1,
    timezone: "America/Chicago",
    currentDeploymentStatus: "Deployed",
    newDeploymentStatus: "Deployed",
    lastScalarTimestamp: 1000,
    lastScalarData: "",
    missingScalarStreamCount: 0,
    voltaSensor: null,
    lastOneSecondFileTimestamp: null,
    lastDatafileTimestamp: null,
    missingDatafileCount: 0,
    lastExternalFileTimestamp: null,
    eventCount: 0,
    meterConnected: true,
    dataInterval: 900,
    scalarInterval: 10,
    ...part,
  };
}

function answer(nodes: Record<string, Partial<DashboardNode>>, part: Partial<NodeDashboard> = {}): NodeDashboard {
  return { dashboardNodeMap: nodes, serverStartUpTime: 1, requestsServed: 2, revision: "5", isFull: false, removed: [], asOf: 3, isStale: false, ...part };
}

const fullFleet = (...nodes: DashboardNode[]) => answer(Object.fromEntries(nodes.map((each) => [each.serialNumber, each])), { isFull: true });

describe("the fleet store", () => {
  test("applies changes in place, and tells only who listens to what changed", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002)));
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    store.subscribeRecord("10001", first);
    store.subscribeRecord("10002", second);
    const record = store.records().get("10001");
    const directory = store.directoryVersion();
    store.apply(answer({ "10001": { eventCount: 7 } }));
    expect(store.records().get("10001")).toBe(record);
    expect(record?.node).toEqual(node(10001, { eventCount: 7 }));
    expect([first.mock.calls.length, second.mock.calls.length, store.directoryVersion() - directory]).toEqual([1, 0, 0]);
  });

  test("a whole entry moves the directory; what is gone goes", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002), node(10003)));
    const directory = store.directoryVersion();
    store.apply(answer({ "10001": node(10001, { locationName: "Debarker" }) }, { removed: ["10002"] }));
    expect(store.directoryVersion()).toBeGreaterThan(directory);
    expect([...store.records().keys()]).toEqual(["10001", "10003"]);
    expect(store.records().get("10001")?.searchText).toContain("debarker");
    store.apply(fullFleet(node(10003)));
    expect([...store.records().keys()]).toEqual(["10003"]);
  });

  test("live values of a node that is not known are ignored, hostile names are ordinary ones", () => {
    const store = createFleetStore();
    store.apply(answer({ "10001": { eventCount: 1 } }));
    expect(store.records().size).toBe(0);
    const hostile = JSON.parse('{"__proto__": {"eventCount": 1}, "constructor": {"eventCount": 2}}') as Record<string, Partial<DashboardNode>>;
    store.apply(answer(hostile));
    expect(store.records().size).toBe(0);
    expect(({} as { eventCount?: number }).eventCount).toBeUndefined();
  });
});

describe("the view", () => {
  const select = (search: Record<string, unknown>, ...nodes: DashboardNode[]) => {
    const store = createFleetStore();
    store.apply(fullFleet(...nodes));
    return selectRecords(store.records(), criteriaOf(search)).map(({ serial }) => Number(serial));
  };

  test("DSH-05 Deployed and PreDeployment are on at first, the others off", () => {
    const nodes = ["Deployed", "Pre-Deployment", "Unassigned", "Decommissioned"].map((status, index) => node(10001 + index, { currentDeploymentStatus: status }));
    const external = node(10009, { type: "ThirdParty" });
    expect(select({}, ...nodes, external)).toEqual([10001, 10002]);
    expect(select({ show: "unassigned,decommissioned" }, ...nodes, external)).toEqual([10003, 10004]);
    expect(select({ show: "external" }, ...nodes, external)).toEqual([10009]);
    expect(select({ show: "none" }, ...nodes, external)).toEqual([]);
  });

  test.each([
    ["Node", "deployed"],
    ["subNode", "deployed"],
    ["SEL", "deployed"],
    ["GERelay", "deployed"],
    ["node", "external"],
    ["ThirdParty", "external"],
    ["", "external"],
  ])("DSH-12 a node of type %j counts as %s", (type, key) => {
    expect(showKeyOf(node(10001, { type }))).toBe(key);
  });

  test("DSH-03 every word is looked for in serial, customer, facility and location", () => {
    const nodes = [node(10001), node(10002, { customerCode: "cobalt", customerName: "Cobalt Ridge", facilityName: "Dock", locationName: "ID Fan" })];
    for (const filterText of ["10002", "COBALT", "ridge", "dock", "id fan", "fan 0002"]) expect(select({ filterText }, ...nodes)).toEqual([10002]);
    expect(select({ filterText: "cobalt pump" }, ...nodes)).toEqual([]);
    expect(select({ filterText: "  " }, ...nodes)).toEqual([10001, 10002]);
  });

  test("DSH-06 sorts by node and both timestamps, either way, equal ones by serial number", () => {
    const nodes = [node(10003, { lastScalarTimestamp: 5, lastDatafileTimestamp: 9 }), node(10001, { lastScalarTimestamp: null }), node(10002, { lastScalarTimestamp: 5, lastDatafileTimestamp: 1 })];
    expect(select({}, ...nodes)).toEqual([10001, 10002, 10003]);
    expect(select({ order: "desc" }, ...nodes)).toEqual([10003, 10002, 10001]);
    expect(select({ sort: "scalar" }, ...nodes)).toEqual([10001, 10002, 10003]);
    expect(select({ sort: "scalar", order: "desc" }, ...nodes)).toEqual([10002, 10003, 10001]);
    expect(select({ sort: "datafile" }, ...nodes)).toEqual([10001, 10002, 10003]);
  });

  test("readings make a new list only when it is sorted by them", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001)));
    const before = [viewVersion(store, "node"), viewVersion(store, "scalar")];
    store.apply(answer({ "10001": { lastScalarTimestamp: 2000 } }));
    expect([viewVersion(store, "node") === before[0], viewVersion(store, "scalar") === before[1]]).toEqual([true, false]);
  });

  test("DSH-04 the criteria survive the way through the address; defaults stay out of it", () => {
    expect(searchOf(criteriaOf({}))).toEqual({});
    for (const search of [{ filterText: "10001" }, { show: "none" }, { show: "deployed,external", sort: "scalar", order: "desc" }]) {
      expect(searchOf(criteriaOf(search))).toEqual(search);
    }
  });
});

test("DSH-08 long scalar data shows its first and last 30 characters", () => {
  const data = `${"a".repeat(30)}${"b".repeat(40)}${"c".repeat(30)}`;
  expect(shorten(data)).toBe(`${"a".repeat(30)} … ${"c".repeat(30)}`);
  expect(shorten("x".repeat(60))).toBe("x".repeat(60));
});
