import { expect, test } from "vitest";
import { currentNoise } from "./noise.ts";

test.each([
  [0.4, 100, 0.4],
  [0, 100, 0],
  [undefined, 57.6, 0.576],
  [undefined, undefined, 0],
])("a node that reports %f, with %f A of full load, measures noise up to %f A", (reported, fullLoad, noise) => {
  expect(currentNoise(reported, fullLoad)).toBeCloseTo(noise, 12);
});
