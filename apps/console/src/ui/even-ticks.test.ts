import { expect, test } from "vitest";
import { evenTicks } from "./even-ticks.ts";

test("an axis has round values that hold the smallest and the largest", () => {
  expect(evenTicks(0, 1_204)).toEqual([0, 250, 500, 750, 1_000, 1_250]);
  expect(evenTicks(0, 0.3)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(evenTicks(473.2, 484.9)).toEqual([472.5, 475, 477.5, 480, 482.5, 485]);
  expect(evenTicks(-3, 14)).toEqual([-5, 0, 5, 10, 15]);
  expect(evenTicks(7, 7)).toEqual([7, 8]);
});
