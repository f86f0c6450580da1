import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTriesLimiter } from "./tries-limiter.ts";

test("so many a minute of one name, then a refusal that says when to come again; others are not held up", () => {
  const clock = createManualClock();
  const limiter = createTriesLimiter(clock, 2, "Too many");
  limiter.count("a");
  clock.advance(10);
  limiter.count("a");
  const refused = (name: string) => {
    try {
      limiter.count(name);
      return undefined;
    } catch (error) {
      const { status, message, retryAfterSeconds } = error as { status: number; message: string; retryAfterSeconds: number };
      return [status, message, retryAfterSeconds];
    }
  };
  expect([refused("a"), refused("b")]).toEqual([[429, "Too many", 50], undefined]);
  clock.advance(49.5);
  expect(refused("a")).toEqual([429, "Too many", 1]);
  clock.advance(0.5);
  expect([refused("a"), refused("a"), refused("a")]).toEqual([undefined, undefined, [429, "Too many", 60]]);
});
