import { expect, test } from "vitest";
import { endedSentence } from "./ended-sentence.ts";

test.each([
  ["suspended", "Your account was suspended meanwhile."],
  ["password changed", "Your password was changed."],
  ["second factor changed", "Your two-factor authentication was changed."],
  ["second factor reset", "Your two-factor authentication was changed."],
  ["ended by its owner", "You ended this session elsewhere."],
  ["roles changed", "Your special privileges were changed."],
  ["too many", "You are signed in at more than 7 places, so the oldest of them was signed out: this one."],
  ["reused", "An old token of this session was used again, perhaps by someone else, so it was ended."],
  ["signed out", "Your session has ended."],
  [null, "Your session has ended."],
] as const)("A-63 who is asked to sign in again reads why: %s", (endReason, sentence) => {
  expect(endedSentence({ endReason, isUserActive: true }, 7)).toBe(`${sentence} Please sign in again`);
  expect(endedSentence({ endReason, isUserActive: false }, 7)).toBe("Your account is suspended. Please ask a system administrator");
});

test("A-63 of a session that no one knows no more is said than that it has ended", () => {
  expect(endedSentence(undefined, 7)).toBe("Your session has ended. Please sign in again");
});
