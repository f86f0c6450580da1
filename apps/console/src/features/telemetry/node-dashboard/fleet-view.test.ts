import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { gravityByKind, type VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { describe, expect, test } from "vitest";
import { answer, fullFleet, node } from "./fleet.fixture.ts";
import { criteriaOf, searchOf, showOptions, sortKeys } from "./fleet-criteria.ts";
import { createFleetStore } from "./fleet-store.ts";
import { countVerdicts, createFleetView, showKeyOf } from "./fleet-view.ts";
import { readingsOf } from "./readings.ts";
import { shorten } from "./shorten.ts";

describe("the view", () => {
  const select = (search: Record<string, unknown>, ...nodes: DashboardNode[]) => {
    const store = createFleetStore();
    store.apply(fullFleet(...nodes));
    return createFleetView(store)(criteriaOf(search)).map(({ serial }) => Number(serial));
  };

  test("DSH-05 Deployed and PreDeployment are on at first, the others off", () => {
    const nodes = ["Deployed", "Pre-Deployment", "Unassigned", "Decommissioned"].map((status, index) =>
      node(10001 + index, { currentDeploymentStatus: status }),
    );
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
    const nodes = [
      node(10001),
      node(10002, { customerCode: "cobalt", customerName: "Cobalt Ridge", facilityName: "Dock", locationName: "ID Fan" }),
    ];
    for (const filterText of ["10002", "COBALT", "ridge", "dock", "id fan", "fan 0002"])
      expect(select({ filterText }, ...nodes)).toEqual([10002]);
    expect(select({ filterText: "cobalt pump" }, ...nodes)).toEqual([]);
    expect(select({ filterText: "  " }, ...nodes)).toEqual([10001, 10002]);
  });

  test("DSH-06 sorts by node and both timestamps, either way, equal ones by serial number", () => {
    const nodes = [
      node(10003, { lastScalarTimestamp: 5, lastDatafileTimestamp: 9 }),
      node(10001, { lastScalarTimestamp: null }),
      node(10002, { lastScalarTimestamp: 5, lastDatafileTimestamp: 1 }),
    ];
    expect(select({}, ...nodes)).toEqual([10001, 10002, 10003]);
    expect(select({ order: "desc" }, ...nodes)).toEqual([10003, 10002, 10001]);
    expect(select({ sort: "scalar" }, ...nodes)).toEqual([10001, 10002, 10003]);
    expect(select({ sort: "scalar", order: "desc" }, ...nodes)).toEqual([10002, 10003, 10001]);
    const byFile = [...nodes, node(10000, { type: "ThirdParty", lastDatafileTimestamp: 0, lastExternalFileTimestamp: 5 })];
    const show = "deployed,external";
    expect(select({ sort: "datafile", show }, ...byFile)).toEqual([10001, 10002, 10000, 10003]);
    expect(select({ sort: "datafile", show, order: "desc" }, ...byFile)).toEqual([10003, 10000, 10002, 10001]);
  });

  describe("verdicts", () => {
    const judged = (serial: number, kind: VerdictKind, part: Partial<DashboardNode> = {}) =>
      node(serial, { verdict: { kind, gravity: gravityByKind[kind], sentence: "", since: null }, ...part });
    const nodes = [
      judged(10004, "fine"),
      judged(10001, "clock"),
      judged(10003, "away"),
      judged(10002, "away"),
      judged(10005, "retired", { currentDeploymentStatus: "Decommissioned" }),
      node(10006),
    ];

    test("the gravest come first, equal ones by serial number, those that were not judged yet last", () => {
      expect(select({ sort: "gravity" }, ...nodes)).toEqual([10002, 10003, 10001, 10004, 10006]);
      expect(select({ sort: "gravity", order: "desc" }, ...nodes)).toEqual([10006, 10004, 10001, 10002, 10003]);
    });

    test("the address says which verdicts are shown; what is none of them is left out", () => {
      expect(select({ verdict: "clock,away,toString" }, ...nodes)).toEqual([10001, 10002, 10003]);
      expect(searchOf(criteriaOf({ verdict: "clock,away,toString", sort: "gravity" }))).toEqual({ verdict: "away,clock", sort: "gravity" });
      expect(select({ verdict: "none" }, ...nodes)).toHaveLength(5);
    });

    test("they are counted among what the search and the statuses let through, chosen or not", () => {
      const store = createFleetStore();
      store.apply(fullFleet(...nodes));
      const counts = (search: Record<string, unknown>) => Object.fromEntries(countVerdicts(store, criteriaOf(search)));
      expect(counts({ verdict: "clock" })).toEqual({ fine: 1, clock: 1, away: 2 });
      expect(counts({ filterText: "1000", show: "decommissioned" })).toEqual({ retired: 1 });
      store.apply(answer({ "10002": judged(10002, "fine") }));
      expect(counts({})).toEqual({ fine: 2, clock: 1, away: 1 });
    });
  });

  test("the same array again while nothing of it moved", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001, { lastScalarTimestamp: 5 }), node(10002, { lastScalarTimestamp: 9 })));
    const view = createFleetView(store);
    const criteria = criteriaOf({ sort: "scalar" });
    const before = view(criteria);
    store.apply(answer({ "10001": { eventCount: 3 } }));
    expect(view(criteria)).toBe(before);
    store.apply(answer({ "10001": { lastScalarTimestamp: 10 } }));
    expect(view(criteria).map(({ serial }) => serial)).toEqual(["10002", "10001"]);
  });

  test("a list kept up to date through any changes equals one built from scratch", () => {
    const random = seededRandom(20_261_121);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const randomNode = (serial: number): DashboardNode =>
      node(serial, {
        type: pick(["Node", "subNode", "ThirdParty"]),
        currentDeploymentStatus: pick(["Deployed", "Pre-Deployment", "Unassigned"]),
        locationName: pick(["Feed Pump", "Exhaust Fan"]),
        lastScalarTimestamp: pick([null, 1, 2, 3]),
        lastDatafileTimestamp: pick([null, 1, 2, 3]),
      });
    const serials = Array.from({ length: 40 }, (_, index) => 10_001 + index);
    for (let round = 0; round < 60; round++) {
      const store = createFleetStore();
      store.apply(fullFleet(...serials.slice(0, 30).map(randomNode)));
      const view = createFleetView(store);
      const show = showOptions.filter(() => random() < 0.6).map(({ key }) => key);
      const criteria = criteriaOf({
        sort: pick(sortKeys),
        order: pick(["asc", "desc"]),
        show: show.join(",") || "none",
        filterText: pick(["", "pump", "fan 100"]),
      });
      for (let step = 0; step < 12; step++) {
        const changes: Record<string, Partial<DashboardNode>> = {};
        for (const serial of serials.filter(() => random() < 0.2)) {
          changes[serial] =
            random() < 0.15 ? randomNode(serial) : { lastScalarTimestamp: pick([1, 2, 3, 4]), lastDatafileTimestamp: pick([1, 2, 3, 4]) };
        }
        store.apply(answer(changes, { removed: random() < 0.2 ? [String(pick(serials))] : [] }));
        expect(view(criteria)).toEqual(createFleetView(store)(criteria));
      }
    }
  });

  test("DSH-04 the criteria survive the way through the address; defaults stay out of it", () => {
    expect(searchOf(criteriaOf({}))).toEqual({});
    for (const search of [{ filterText: "10001" }, { show: "none" }, { show: "deployed,external", sort: "scalar", order: "desc" }]) {
      expect(searchOf(criteriaOf(search))).toEqual(search);
    }
  });
});

/** Numbers from 0 to 1, the same at every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("DSH-08 long scalar data shows its first and last 30 characters", () => {
  const data = `${"a".repeat(30)}${"b".repeat(40)}${"c".repeat(30)}`;
  expect(shorten(data)).toBe(`${"a".repeat(30)} … ${"c".repeat(30)}`);
  expect(shorten("x".repeat(60))).toBe("x".repeat(60));
});

test.each([
  ["3,1,1795384818000,60.01,28.1,28.4,28.7,478,477.6,478.9,1,2,3", "28.4\u00a0A ·\u00a0478\u00a0V ·\u00a060.0\u00a0Hz"],
  ["3,1,1795384818000,,28.1,,,,,", "28.1\u00a0A"],
  ["3,1,1795384818000,60,0,0,0,x,,", "0.0\u00a0A ·\u00a060.0\u00a0Hz"],
  ["", ""],
])("the readings of %j are %j", (data, readings) => {
  expect(readingsOf(data)).toBe(readings);
});
