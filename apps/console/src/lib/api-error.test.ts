import { expect, test } from "vitest";
import { ApiError, isWorthRetrying } from "./api-error.ts";

test("a call is repeated once when that may help: not when the server has refused it", () => {
  const failed = (status: number) => new ApiError(status, "X", "x");
  expect([0, 500, 502, 503].map((status) => isWorthRetrying(0, failed(status)))).toEqual([true, true, true, true]);
  expect([400, 401, 403, 404, 409, 429].map((status) => isWorthRetrying(0, failed(status)))).toEqual(Array(6).fill(false));
  expect(isWorthRetrying(1, failed(500))).toBe(false);
});
