import { liveDashboardFields, type DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { describe, expect, test, vi } from "vitest";
import { readChanges } from "./fleet-answer.ts";
import { answer, fullFleet, node, textOf } from "./fleet.fixture.ts";
import { createFleetStore } from "./fleet-store.ts";

const moved = (changes: Partial<DashboardNode>) =>
  Object.fromEntries(liveDashboardFields.map((name) => [name, node(10001, changes)[name]]));

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

  // It is a piece of the whole answer's text, which stays in memory with it.
  test("the text of a node that no later answer names is read after eight answers", () => {
    const store = createFleetStore();
    store.apply(fullFleet(node(10001), node(10002)));
    const say = (...serials: string[]) =>
      store.apply(readChanges(textOf(answer(Object.fromEntries(serials.map((serial) => [serial, moved({ eventCount: 7 })])))))!.data);
    const parse = vi.spyOn(JSON, "parse");
    const partsRead = () => parse.mock.calls.filter(([text]) => !text.includes("requestsServed")).length;
    say("10001", "10002");
    for (let answers = 1; answers < 8; answers++) say("10002");
    expect(partsRead()).toBe(0);
    say("10002");
    expect(partsRead()).toBe(1);
    parse.mockRestore();
    expect(store.records().get("10001")?.node.eventCount).toBe(7);
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
