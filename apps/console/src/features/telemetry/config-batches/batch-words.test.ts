import { expect, test } from "vitest";
import { batchLook } from "./batch-words.ts";

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
