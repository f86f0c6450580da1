import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTimerWheel } from "./timer-wheel.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("fires in time and in order, also beyond one turn of the wheel", () => {
  const wheel = createTimerWheel();
  const fired: string[] = [];
  wheel.start();
  wheel.after(25_000, () => fired.push("25 s"));
  wheel.after(100, () => fired.push("100 ms"));
  wheel.after(0, () => fired.push("at once"));
  vi.advanceTimersByTime(20);
  expect(fired).toEqual(["at once"]);
  vi.advanceTimersByTime(100);
  expect(fired).toEqual(["at once", "100 ms"]);
  vi.advanceTimersByTime(24_000);
  expect(fired).toHaveLength(2);
  vi.advanceTimersByTime(1000);
  expect(fired.at(-1)).toBe("25 s");
  wheel.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("a cancelled timer stays silent; a timer may add another", () => {
  const wheel = createTimerWheel();
  const fired: string[] = [];
  wheel.start();
  const cancelled = wheel.after(50, () => fired.push("cancelled"));
  wheel.after(20, () => {
    fired.push("first");
    cancelled.cancel();
    wheel.after(20, () => fired.push("second"));
  });
  vi.advanceTimersByTime(200);
  expect(fired).toEqual(["first", "second"]);
  wheel.stop();
});
