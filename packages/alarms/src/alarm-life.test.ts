import { expect, test } from "vitest";
import { createAlarmLife, judge } from "./alarm-life.ts";

test("an alarm is raised beyond its limit, and cleared after five minutes at 95 % of it or below", () => {
  const life = createAlarmLife();
  const at = (seconds: number, value: number | undefined) => judge(life, { value, limit: 10, at: seconds, holdSeconds: 20 });
  expect([at(0, 10), at(10, 11), at(20, 11), at(30, 11)]).toEqual([undefined, undefined, undefined, "raised"]);
  expect([at(40, 9.51), at(50, 9.5), at(349, 9.5), at(350, 9.5)]).toEqual([undefined, undefined, undefined, "cleared"]);
  // It begins anew: the hold too, and what is unknown ends it.
  expect([at(360, 11), at(370, undefined), at(380, 11), at(399, 11), at(400, 11)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "raised",
  ]);
  expect([at(410, undefined), at(500, 9.51), at(510, undefined), at(809, undefined), at(810, undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "cleared",
  ]);
});
