import { expect, test } from "vitest";
import { setBits } from "./bit-run.ts";
import { coverageDays, dayBounds, expectedRuns } from "./coverage.view.ts";
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

test("a quarter of an hour is judged once what is to come of it has come: scalars after three of them, files after two intervals and a half", () => {
  const begin = Date.parse("2026-11-10T12:00:00Z") / 1000;
  const window = windowOf(begin / 900, begin / 900 + 96);
  const node = { serial: 1, type: "Node", deployedAt: null, facilityId: 1, facility: "", customer: "", location: "", timezone };
  const stays = [{ serial: 1, startedAt: begin - 86_400, endedAt: null, timezone, isFirst: true }];
  const judgedAt = (kind: "scalars" | "D", secondsAfter: number, scalarInterval: number) => {
    const expectation = { kind, window, keptFrom: 0, now: begin + secondsAfter };
    const [run] = expectedRuns({ ...node, scalarInterval, dataInterval: 900 }, stays, emptyBits(window), true, expectation);
    return (run!.to * 900 - begin) / 900;
  };
  expect([59, 60].map((seconds) => judgedAt("scalars", seconds, 10))).toEqual([-1, 0]);
  expect([179, 180].map((seconds) => judgedAt("scalars", seconds, 60))).toEqual([-1, 0]);
  expect([1349, 1350].map((seconds) => judgedAt("D", seconds, 10))).toEqual([-1, 0]);
});
