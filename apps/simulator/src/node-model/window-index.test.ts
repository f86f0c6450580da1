import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createWindowIndex, type Span } from "./window-index.ts";

const day = 86_400;

test("finds what a search of all windows finds, in any order of questions", () => {
  const time = fc.integer({ min: 0, max: 4 * day });
  // What is asked are whole seconds; a window begins at any moment.
  const span = fc
    .tuple(time, fc.constantFrom(0, 0.4), fc.integer({ min: 1, max: 10 * day * 1000 }))
    .map(([second, part, ms]): Span => ({ start: second + part, end: second + part + Math.min(ms / 1000, day) }));
  fc.assert(
    fc.property(
      fc.array(span, { maxLength: 12 }),
      fc.array(span, { maxLength: 2 }),
      fc.array(time, { maxLength: 60 }),
      (daily, lasting, questions) => {
        const index = createWindowIndex(
          (d) => daily.filter(({ start }) => Math.floor(start / day) === d),
          () => lasting,
        );
        // near the edges of windows and days is where it matters
        const edges = [...daily, ...lasting].flatMap(({ start, end }) => [
          Math.floor(start) - 1,
          Math.floor(start),
          Math.floor(end) - 1,
          Math.floor(end),
          Math.floor(end) + 1,
        ]);
        for (const t of [...questions, ...edges, ...edges.toReversed()]) {
          if (t < 0) continue;
          const nextDay = (Math.floor(t / day) + 1) * day;
          const expected = [...daily, ...lasting].filter(({ start, end }) => start < Math.min(t + 1, nextDay) && end > t);
          expect(new Set(index.at(t))).toEqual(new Set(expected));
        }
      },
    ),
  );
});
