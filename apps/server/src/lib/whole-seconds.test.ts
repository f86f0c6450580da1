import { expect, test } from "vitest";
import { wholeSeconds } from "./whole-seconds.ts";

test.each([
  [1.999, 1],
  [0, 0],
  [null, null],
  [undefined, null],
])("%j is %j on the wire", (seconds, whole) => expect(wholeSeconds(seconds)).toBe(whole));
