import { expect, test } from "vitest";
import { hasBit, setBits } from "./bit-run.ts";
import { coverageDays, coverageSpans, dayBounds, expectedRuns } from "./coverage.view.ts";
import { emptyBits, outageBits, windowOf } from "./quarter-window.ts";

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

const planeNames = ["received", "partly", "failed", "backfilled", "late", "away"] as const;
type Plane = (typeof planeNames)[number];

/** One run of so many quarters, each with these bits. */
function quartersWith(planes: readonly Plane[], count = 1) {
  const from = Date.parse("2026-11-10T05:00:00Z") / 900_000;
  const window = windowOf(from, from + count);
  const bits = emptyBits(window);
  const away = new Uint8Array(bits.received.length);
  for (const plane of planes) {
    const bytes = plane === "away" ? away : (bits[plane] ??= new Uint8Array(away.length));
    setBits(bytes, from - window.first, from + count - window.first);
  }
  const expectation = { kind: "D" as const, window, keptFrom: 0, now: 0 };
  const runs = [{ from, to: from + count, timezone }];
  return {
    spans: coverageSpans(runs, bits, away, expectation, 900).map(({ status, count: files }) => [status, files]),
    days: coverageDays(runs, bits, away, () => [from, from + count], expectation).days,
  };
}

test("A-63 of all that is known of a quarter of an hour the most telling is shown, and so it is of a day", () => {
  for (let pattern = 0; pattern < 2 ** planeNames.length; pattern++) {
    const planes = planeNames.filter((_, place) => pattern & (1 << place));
    const has = (plane: Plane) => planes.includes(plane);
    const lacking = has("away") ? ["platform", 1] : has("partly") ? ["partly", null] : ["missing", 1];
    const come = has("failed") ? ["failed", 1] : has("backfilled") ? ["backfilled", 1] : has("late") ? ["late", 1] : ["received", 1];
    const expected = has("received") ? come : lacking;
    const { spans, days } = quartersWith(planes);
    expect([planes, spans]).toEqual([planes, expected[0] === "received" ? [] : [expected]]);
    const letters = { failed: "f", backfilled: "b", late: "l" };
    const worst = (["failed", "backfilled", "late"] as const).find(has);
    const day = worst === "failed" ? "f" : !has("received") && has("away") ? "p" : worst ? letters[worst] : "w";
    expect([planes, days]).toEqual([planes, has("received") || has("away") ? day : "M"]);
  }
});

test("A-63 a tenth of a day that is begun is shown as missing, and nine at most while something came", () => {
  const from = Date.parse("2026-11-10T05:00:00Z") / 900_000;
  const window = windowOf(from, from + 96);
  const daysOf = (came: number) => {
    const bits = emptyBits(window);
    setBits(bits.received, from - window.first, from + came - window.first);
    const away = new Uint8Array(bits.received.length);
    return coverageDays([{ from, to: from + 96, timezone }], bits, away, () => [from, from + 96], {
      kind: "D",
      window,
      keptFrom: 0,
      now: 0,
    });
  };
  expect([95, 86, 87, 1, 0].map((came) => daysOf(came))).toEqual([
    { days: "1", missing: 1 },
    { days: "2", missing: 10 },
    { days: "1", missing: 9 },
    { days: "9", missing: 95 },
    { days: "M", missing: 96 },
  ]);
});

test("A-63 the platform was away in every quarter of which it was away for a second, within the time that is asked", () => {
  const begin = Date.parse("2026-11-01T00:00:00Z") / 1000;
  const window = windowOf(begin / 900, begin / 900 + 96);
  const awayIn = (start: number, end: number) => {
    const bits = outageBits(window, [{ start: begin + start, end: begin + end }]);
    return Array.from({ length: window.end - window.first }, (_, index) => index).filter((index) => hasBit(bits, index));
  };
  const last = window.end - window.first - 1;
  expect([awayIn(0, 899), awayIn(899, 900), awayIn(900, 2_699), awayIn(-5_000, 1)]).toEqual([[0], [0, 1], [1, 2], [0]]);
  expect([awayIn(last * 900, last * 900 + 899), awayIn((last - 1) * 900, (last + 9) * 900)]).toEqual([[last], [last - 1, last]]);
});

test("A-63 gaps of a node that moved come in the order of time", () => {
  const from = Date.parse("2026-11-10T05:00:00Z") / 900_000;
  const window = windowOf(from, from + 9);
  const runs = [
    { from: from + 5, to: from + 9, timezone },
    { from, to: from + 4, timezone: "UTC" },
  ];
  const bits = emptyBits(window);
  const spans = coverageSpans(runs, bits, new Uint8Array(bits.received.length), { kind: "D", window, keptFrom: 0, now: 0 }, 900);
  expect(spans.map(({ fromTimestamp, toTimestamp }) => [fromTimestamp / 900 - from, toTimestamp / 900 - from])).toEqual([
    [0, 4],
    [5, 9],
  ]);
});
