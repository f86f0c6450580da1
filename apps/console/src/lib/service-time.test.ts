import { describe, expect, test } from "vitest";
import { serviceTime } from "./service-time.ts";

describe("SYS-02 durations", () => {
  test.each([
    [-5, "0 s"],
    [0, "0 s"],
    [0.9, "0 s"],
    [59.9, "59 s"],
    [60, "1m"],
    [3_599, "59m"],
    [3_600, "1h 0m"],
    [3_660, "1h 1m"],
    [90_000, "25h 0m"],
  ])("%d seconds: %s", (seconds, words) => {
    expect(serviceTime(seconds)).toBe(words);
  });
});
