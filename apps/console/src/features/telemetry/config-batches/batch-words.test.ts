import { expect, test } from "vitest";
import { batchLook, batchTitle, changesText, courseWords, isOnItsWay, paceWords } from "./batch-words.ts";

const none = { unread: 0, left: 0, waiting: 0, sending: 0, confirmed: 0, refused: 0, unknown: 0, dropped: 0 };
const waiting = { ...none, waiting: 2 };

test.each([
  ["ready", "", waiting, "Waits for its passcode"],
  ["ready", "", { ...none, left: 2 }, "Nothing to change"],
  ["running", "2026-12-01 02:00", waiting, "Waits for its time"],
  ["running", "2026-12-01 02:00", { ...waiting, confirmed: 1 }, "Under way"],
  ["running", "", waiting, "Under way"],
  ["done", "", { ...none, confirmed: 2 }, "Ended"],
  ["done", "", { ...none, confirmed: 1, unknown: 1 }, "Ended with failures"],
] as const)("a batch that is %s from %j on with %o: %s", (state, startLocal, counts, label) => {
  expect(batchLook({ state, startLocal, counts }).label).toBe(label);
});

test("a batch says what it does, how far it came, and how it is rolled out", () => {
  const values = [
    { key: "v_noise", value: "6" },
    { key: "eq_type", value: "" },
  ];
  const titles = [
    { kind: "change", values, keys: ["v_noise", "eq_type"], sourceId: null },
    { kind: "putBack", values: [], keys: ["v_noise", "eq_type"], sourceId: 7 },
    { kind: "retry", values, keys: [], sourceId: null },
  ] as const;
  expect(titles.map((each) => batchTitle(each as never))).toEqual([
    "v_noise → 6, eq_type → (empty)",
    "Put back of batch 7: v_noise, eq_type",
    "Retry of batch ?: v_noise → 6, eq_type → (empty)",
  ]);
  const changes = [
    { key: "v_noise", oldValue: "5", newValue: "6" },
    { key: "eq_type", oldValue: null, newValue: "" },
  ];
  expect(changesText({ changes } as never)).toBe("v_noise 5 → 6; eq_type – → (empty)");

  const counts = { unread: 3, left: 1, waiting: 6, sending: 5, confirmed: 2, refused: 3, unknown: 4, dropped: 7 };
  const course = (state: string, some = counts) => courseWords({ state, counts: some, nodeCount: 28 } as never);
  expect(["reading", "ready", "running"].map((state) => course(state))).toEqual([
    "25 of 28 nodes read",
    "27 of 28 nodes would be changed, 1 left out",
    "2 of 27 nodes confirmed, 3 refused, 4 unknown, 5 sent, 6 waiting, 7 not changed",
  ]);
  expect(course("done", { ...none, confirmed: 27, left: 1 })).toBe("27 of 27 nodes confirmed");
  const pace = { firstWave: 1, atOnce: 20, perMinute: null, stopPercent: 10 };
  expect([pace, { ...pace, firstWave: 2, perMinute: 30 }].map((each) => paceWords(each as never))).toEqual([
    "First 1 node, then 20 at once; stops by itself above 10 % of failures",
    "First 2 nodes, then 20 at once, at most 30 a minute; stops by itself above 10 % of failures",
  ]);
});

test.each([
  ["reading", none, true],
  ["running", none, true],
  ["paused", none, false],
  ["stopped", { ...none, sending: 1 }, true],
  ["done", waiting, false],
] as const)("a batch that is %s with %o changes by itself: %s", (state, counts, isLive) => {
  expect(isOnItsWay({ state, counts })).toBe(isLive);
});
