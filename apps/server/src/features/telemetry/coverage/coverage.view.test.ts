import { expect, test } from "vitest";
import { setBits } from "./bit-run.ts";
import { coverageDays, dayBounds } from "./coverage.view.ts";
import { emptyBits, windowOf } from "./quarter-window.ts";

const timezone = "America/New_York";

test.each([
  ["begins", "2026-03-08", 23],
  ["ends", "2026-11-01", 25],
])("the day on which daylight saving time %s is judged by its %s hours", (_what, day, hours) => {
  const bounds = dayBounds(day, 2, timezone);
  const [from, next, to] = bounds as [number, number, number];
  expect([(next - from) / 4, (to - next) / 4]).toEqual([hours, 24]);
  const window = windowOf(from, to);
  const daysWith = (...received: [number, number][]) => {
    const bits = emptyBits(window);
    for (const [begin, end] of received) setBits(bits.received, begin - window.first, end - window.first);
    const away = new Uint8Array(bits.received.length);
    return coverageDays([{ from, to, timezone }], bits, away, () => bounds, { kind: "D", window, keptFrom: 0, now: 0 });
  };
  expect(daysWith([from, to])).toEqual({ days: "ww", missing: 0 });
  expect(daysWith([next, to])).toEqual({ days: "Mw", missing: hours * 4 });
  expect(daysWith([from, next - 1], [next, to])).toEqual({ days: "1w", missing: 1 });
  expect(daysWith([from, next], [next + 1, to])).toEqual({ days: "w1", missing: 1 });
});
