import { expect, test } from "vitest";
import { isOverlap, labelBox, placeLabels, type LabelledPhasor } from "./phasor-labels.ts";

/** The same numbers from 0 to 1 at every run (Park and Miller). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

// Arrows that overlap are the hard case, and a usual one: a current in phase with its voltage, three at the same angle.
function randomArrows(random: () => number): LabelledPhasor[] {
  const known: LabelledPhasor[] = [];
  const count = 1 + Math.floor(random() * 6);
  while (known.length < count) {
    const other = known[Math.floor(random() * known.length)];
    if (other && random() < 0.5)
      known.push({ angle: other.angle + (random() < 0.5 ? 0 : random() * 6), reach: random() < 0.5 ? other.reach : random() * 100 });
    else known.push({ angle: random() * 360 - 180, reach: random() * 100 });
  }
  return known;
}

test.each([
  [19.9, 0, true],
  [0, 15.9, true],
  [-19.9, -15.9, true],
  [20, 0, false],
  [0, 16, false],
  [-20, 3, false],
  [3, -16, false],
])("a label %f to the right and %f below another overlaps it: %j", (x, y, isOver) => {
  const other = { x: 40, y: 40 };
  expect(isOverlap({ x: 40 + x, y: 40 + y }, other)).toBe(isOver);
  expect(isOverlap(other, { x: 40 + x, y: 40 + y })).toBe(isOver);
});

test.each([
  ["beside the tip of its arrow", [50], [63]],
  ["there as long as the drawing has room", [105], [118]],
  ["on the outer circle beyond it", [105.5, 140], [118]],
  ["on the outer circle where another is beside the tip", [50, 50], [63, 118]],
])("a label is %s", (_where, reaches, places) => {
  const labels = placeLabels(reaches.map((reach) => ({ angle: 0, reach })));
  expect(labels.slice(0, places.length).map(({ x, y }) => [x, Math.abs(y)])).toEqual(places.map((x) => [x, 0]));
});

test("A-29 labels of phasors never overlap and never leave the drawing", () => {
  const random = randomNumbers(29);
  for (let run = 0; run < 20_000; run++) {
    const arrows = randomArrows(random);
    const labels = placeLabels(arrows);
    const overlapping = labels.filter((label, index) => labels.slice(index + 1).some((other) => isOverlap(label, other)));
    const outside = labels.filter(({ x, y }) => Math.abs(x) + labelBox.halfWidth > 130 || Math.abs(y) + labelBox.halfHeight > 130);
    expect({ arrows, labels: labels.length, overlapping, outside }).toEqual({
      arrows,
      labels: arrows.length,
      overlapping: [],
      outside: [],
    });
  }
});
