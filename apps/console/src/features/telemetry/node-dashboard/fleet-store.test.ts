import { liveDashboardFields, type DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { readChanges } from "./fleet-answer.ts";
import { answer, fullFleet, node, textOf } from "./fleet.fixture.ts";
import { createFleetStore, type FleetStore } from "./fleet-store.ts";

const moved = (changes: Partial<DashboardNode>) =>
  Object.fromEntries(liveDashboardFields.map((name) => [name, node(10001, changes)[name]]));

const say = (store: FleetStore, nodes: Record<string, Partial<DashboardNode>>) => store.apply(readChanges(textOf(answer(nodes)))!.data);

const largeLength = 32_000_000;

/** Bytes of live objects. */
function collectedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

describe("the fleet store", () => {
  test("applies changes in place, and notifies only who listens to what changed", () => {
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

  test("shows what came last, also of a node whose values moved several times before anyone read them", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001)));
    const record = store.records().get("10001")!;
    store.apply(answer({ "10001": moved({ eventCount: 7 }) }));
    store.apply(answer({ "10001": moved({ eventCount: 8 }) }));
    expect([record.version, record.node]).toEqual([2, node(10001, { eventCount: 8 })]);
    store.apply(answer({ "10001": moved({ eventCount: 9 }) }));
    store.apply(answer({ "10001": node(10001, { locationName: "Debarker" }) }));
    expect(record.node).toEqual(node(10001, { locationName: "Debarker" }));
  });

  test("a node's text is read when the node is, and names and places at once", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002)));
    const changes = answer({ "10001": moved({ eventCount: 7 }), "10002": node(10002, { locationName: "Debarker" }) }, { removed: [] });
    const read = readChanges(textOf(changes))!.data;
    const parse = vi.spyOn(JSON, "parse");
    store.apply(read);
    expect(parse).toHaveBeenCalledTimes(1);
    expect(store.records().get("10002")?.searchText).toContain("debarker");
    expect(store.records().get("10001")?.node).toEqual(node(10001, { eventCount: 7 }));
    void store.records().get("10001")?.node;
    expect(parse).toHaveBeenCalledTimes(2);
    parse.mockRestore();
  });

  test("what no one reads says the same after many more answers, and a large answer does not stay in memory for it", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002), node(10003)));
    const record = store.records().get("10001")!;
    const other = store.records().get("10003")!;
    const large = "x".repeat(largeLength);
    say(store, { "10001": moved({ eventCount: 7 }), "10002": moved({ lastScalarData: large }), "10003": moved({ eventCount: 8 }) });
    say(store, { "10002": moved({ eventCount: 1 }) });
    const before = collectedHeap();
    for (let answers = 2; answers < 12; answers++) say(store, { "10002": moved({ eventCount: answers }) });
    say(store, {});
    expect(before - collectedHeap()).toBeGreaterThan(largeLength / 2);
    for (let answers = 13; answers < 40; answers++) say(store, { "10002": moved({ eventCount: answers }) });
    expect([record.version, record.node.eventCount, other.node.eventCount]).toEqual([1, 7, 8]);
    expect(store.records().get("10002")?.node.eventCount).toBe(39);
  });

  // A node that moves as often as lines are moved is moved and changed by the same answer.
  test("each node waits once, however often its line was moved", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002)));
    const join = vi.spyOn(Array.prototype, "join");
    for (let answers = 0; answers < 60; answers++) say(store, answers % 12 === 0 ? { "10001": moved({ eventCount: answers }) } : {});
    const moves = join.mock.results.filter(({ value }) => typeof value === "string" && value.startsWith('"10001":'));
    join.mockRestore();
    expect(moves.map(({ value }) => String(value).split("\n").length - 1)).toEqual([1, 1, 1, 1]);
  });

  test("knows what the last answer says of the server", () => {
    const store = createFleetStore();
    expect(store.facts()).toBeUndefined();
    const facts = { serverStartUpTime: 1, requestsServed: 2, asOf: 3, isStale: true };
    store.apply(answer({}, facts));
    expect(store.facts()).toEqual(facts);
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
    const hostile = JSON.parse('{"__proto__": {"eventCount": 1}, "constructor": {"eventCount": 2}}') as Record<
      string,
      Partial<DashboardNode>
    >;
    store.apply(answer(hostile));
    expect(store.records().size).toBe(0);
    expect(({} as { eventCount?: number }).eventCount).toBeUndefined();
  });
});
