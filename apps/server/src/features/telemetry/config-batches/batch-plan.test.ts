import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { describe, expect, test } from "vitest";
import {
  batchHash,
  changesToPutBack,
  changesToRetry,
  isSamePlace,
  judgeCourse,
  paceOf,
  planNode,
  type Course,
  type PlannedChange,
} from "./batch-plan.ts";

describe("CFG-06 the dry run of a node", () => {
  const node = { values: { np_hp: "50", v_noise: "5", foreign: "7" }, types: { foreign: DataType.Int32 } };
  const plan = (...targets: PlannedChange[]) => planNode(targets, node);

  test("leaves out what it has already, and the whole node where it has all of it", () => {
    const changes = [{ key: "v_noise", oldValue: "5", newValue: "6" }];
    expect(plan({ key: "np_hp", newValue: "50" }, { key: "v_noise", newValue: "6" })).toMatchObject({ changes });
    expect(plan({ key: "np_hp", newValue: "50.0" })).toMatchObject({ leftFor: "same", reason: "It has this value already" });
    expect(plan({ key: "np_hp", newValue: "50" }, { key: "v_noise", newValue: "5" })).toMatchObject({
      leftFor: "same",
      reason: "It has these values already",
    });
  });

  test("leaves out a node that lacks a parameter or may not have a value, with its reason", () => {
    expect(plan({ key: "missing", newValue: "1" })).toMatchObject({ leftFor: "unknownKey", reason: "It does not have missing" });
    expect(plan({ key: "np_hp", newValue: "60" }, { key: "foreign", newValue: "x" })).toMatchObject({ leftFor: "range" });
    expect(plan({ key: "foreign", newValue: "+8" })).toMatchObject({ changes: [{ key: "foreign", newValue: "8", datatype: "Int32" }] });
  });

  test("of a value that is put back goes on only where the one that was written is still there, or it is back already", () => {
    const back = (expected: string, newValue = "40") => plan({ key: "np_hp", newValue, expected });
    expect(back("50")).toMatchObject({ changes: [{ oldValue: "50", newValue: "40", expected: "50" }] });
    expect(back("60")).toMatchObject({ leftFor: "changed", reason: "np_hp was changed since: it is 50 now" });
    expect(back("60", "50")).toMatchObject({ leftFor: "same" });
  });
});

test("SEC-03 the hash is of nodes, places and both values, in whichever order the nodes come", () => {
  const [a, b] = [1, 2].map((serial) => ({
    serial,
    place: { stay: 7, locationName: "Pump" },
    changes: [{ key: "np_hp", oldValue: "50", newValue: "60" }],
  })) as [Parameters<typeof batchHash>[0][number], Parameters<typeof batchHash>[0][number]];
  const hash = batchHash([a, b]);
  expect(batchHash([b, a])).toBe(hash);
  const others = [
    [a],
    [a, { ...b, place: { stay: 8, locationName: "Pump" } }],
    [a, { ...b, place: { stay: null, locationName: "" } }],
    [a, { ...b, changes: [{ key: "np_hp", oldValue: "51", newValue: "60" }] }],
    [a, { ...b, changes: [{ key: "np_hp", oldValue: "50", newValue: "61" }] }],
    [a, { ...b, changes: [...b.changes, ...b.changes] }],
  ];
  expect(new Set([hash, ...others.map(batchHash)]).size).toBe(others.length + 1);
  expect([isSamePlace(undefined, { stay: null, locationName: "" }), isSamePlace(a.place, { stay: 7, locationName: "Renamed" })]).toEqual([
    false,
    true,
  ]);
});

describe("CFG-06 the course of a roll-out", () => {
  const course = { settled: 0, failed: 0, total: 100, begun: 0, sending: 0, firstWave: 5, isFirstWaveOver: false, stopPercent: 20 };
  test.each<[string, Partial<Course>, ReturnType<typeof judgeCourse>]>([
    ["its first wave begins", {}, "wave"],
    ["not all of the first wave have begun", { begun: 4, settled: 4, failed: 4 }, "wave"],
    ["some of the first wave are on their way", { begun: 5, settled: 4, failed: 4, sending: 1 }, "wave"],
    ["a fifth of the first wave failed, which is still allowed", { begun: 5, settled: 5, failed: 1 }, "go"],
    ["more of the first wave failed", { begun: 5, settled: 5, failed: 2 }, "stop"],
    ["the first wave is larger than the batch", { begun: 3, settled: 3, total: 3 }, "go"],
    ["few have ended since: a share says little of them", { isFirstWaveOver: true, settled: 6, failed: 4 }, "go"],
    ["of twenty more than a fifth failed", { isFirstWaveOver: true, settled: 6, failed: 5 }, "stop"],
    ["a small batch is judged by its own size", { isFirstWaveOver: true, settled: 6, failed: 3, total: 10 }, "stop"],
    ["of many a fifth failed", { isFirstWaveOver: true, settled: 50, failed: 10 }, "go"],
    ["of many more failed", { isFirstWaveOver: true, settled: 50, failed: 11 }, "stop"],
  ])("%s", (_what, change, verdict) => expect(judgeCourse({ ...course, ...change })).toBe(verdict));
});

describe("CFG-06 the pace of a roll-out", () => {
  const now = 1_800_000_000;
  const pace = (perMinute: number | null, nextAt: number | null, sending = 0) => {
    const { room, nextAfter } = paceOf({ atOnce: 10, perMinute, nextAt }, sending, now);
    const next = nextAfter(room);
    return [room, next === null ? null : next - now];
  };
  test("without one a minute is as wide as the places that are free", () => {
    expect([pace(null, null), pace(null, null, 7), pace(null, null, 12)]).toEqual([
      [10, null],
      [3, null],
      [0, null],
    ]);
  });
  test("six a minute begin ten seconds apart; a turn that has come is taken, one that is to come is awaited", () => {
    expect([pace(6, null), pace(6, now - 4), pace(6, now + 4)]).toEqual([
      [1, 10],
      [1, 6],
      [0, 4],
    ]);
  });
  test("turns that were missed while all places were taken are not made up for", () => {
    expect([pace(6, now - 600), pace(6, now - 600, 10)]).toEqual([
      [2, 10],
      [0, -10],
    ]);
  });
});

test.each<[Parameters<typeof changesToRetry>[0]["state"], string, number, string[], string[]]>([
  ["confirmed", "", 3, [], ["c 3", "a 1"]],
  ["refused", "", 0, ["a 10", "b 20", "c 30"], []],
  ["refused", "", 2, ["c 30"], ["a 1"]],
  ["unknown", "", 1, ["b 20", "c 30"], ["a 1"]],
  ["unknown", "", 2, ["c 30"], ["c 3", "a 1"]],
  ["left", "same", 0, [], []],
  ["left", "away", 0, ["a 10", "b 20", "c 30"], []],
])(
  "CFG-06 of a node that is %s (%s) with %d confirmed, the rest is tried again, and what was changed is put back, the last first",
  (state, leftFor, confirmedCount, retried, putBack) => {
    const changes: PlannedChange[] = [
      { key: "a", oldValue: "1", newValue: "10", expected: "1" },
      // It had none before.
      { key: "b", newValue: "20" },
      { key: "c", oldValue: "3", newValue: "30", datatype: "Int32" },
    ];
    const ended = { state, leftFor, confirmedCount };
    const retry = changesToRetry(ended, changes);
    expect(retry.map(({ key, newValue }) => `${key} ${newValue}`)).toEqual(retried);
    expect(retry.filter(({ oldValue, expected, key }) => oldValue !== undefined || (expected !== undefined) !== (key === "a"))).toEqual([]);
    const back = changesToPutBack(ended, changes);
    expect(back.map(({ key, newValue }) => `${key} ${newValue}`)).toEqual(putBack);
    expect(back.every(({ key, expected }) => expected === changes.find((change) => change.key === key)!.newValue)).toBe(true);
  },
);
