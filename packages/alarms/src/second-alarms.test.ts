import { describe, expect, test } from "vitest";
import { judgeSeconds } from "./second-alarms.ts";
import type { SecondSeries } from "./second-series.ts";
import { settings } from "./testing/feed.ts";

type Change = { volts?: number | number[]; amps?: number | number[]; isDisturbed?: boolean };

/** A quarter of an hour at 460 V and 80 A, except for the given seconds. */
function series(changes: Record<number, Change>): SecondSeries {
  const three = (usual: number) => Array.from({ length: 3 }, () => new Float64Array(900).fill(usual));
  const made = { from: 1_800_000_000, length: 900, currents: three(80), voltages: three(460), isDisturbed: new Uint8Array(900) };
  for (const [second, { volts, amps, isDisturbed }] of Object.entries(changes)) {
    for (let phase = 0; phase < 3; phase++) {
      if (volts !== undefined) made.voltages[phase]![Number(second)] = typeof volts === "number" ? volts : volts[phase]!;
      if (amps !== undefined) made.currents[phase]![Number(second)] = typeof amps === "number" ? amps : amps[phase]!;
    }
    if (isDisturbed) made.isDisturbed[Number(second)] = 1;
  }
  return made;
}
const during = (from: number, to: number, change: Change) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [from + index, change]));
const find = (changes: Record<number, Change>, changed: Partial<typeof settings> = {}) =>
  judgeSeconds(series(changes), { ...settings, ...changed }).map(({ kind, at, value, limit }) => ({
    kind,
    second: at - 1_800_000_000,
    value: value === undefined ? undefined : Math.round(10 * value) / 10,
    limit,
  }));

test("a quiet quarter of an hour has nothing, nor has one without seconds", () => {
  expect(find({})).toEqual([]);
  expect(find(during(0, 900, { volts: Number.NaN, amps: Number.NaN }))).toEqual([]);
});

test("what is found is in the order of time, whatever its kind", () => {
  const found = find({
    ...during(0, 100, { amps: 0 }),
    ...during(100, 120, { amps: 600 }),
    300: { volts: 300, isDisturbed: true },
    500: { amps: [0.2, 173, 172] },
    501: { amps: 640 },
    700: { volts: 300, isDisturbed: true },
  });
  expect(found.map(({ kind, second }) => [kind, second])).toEqual([
    ["longStart", 100],
    ["voltageSag", 300],
    ["lossOfPhaseTransient", 500],
    ["voltageSag", 700],
  ]);
});

describe("a voltage sag", () => {
  test("of six cycles shows by the node's mark and the fall of the second: 445.0 of 460 V", () => {
    expect(find({ 100: { volts: [445, 458, 460], isDisturbed: true } })).toEqual([
      { kind: "voltageSag", second: 100, value: 96.7, limit: 90 },
    ]);
    expect(find({ 100: { volts: [445, 458, 460] } })).toEqual([]);
  });

  test("of seconds shows without the mark", () => {
    expect(find(during(100, 103, { volts: 413 }))).toEqual([{ kind: "voltageSag", second: 100, value: 89.8, limit: 90 }]);
    expect(find(during(100, 103, { volts: 414 }))).toEqual([]);
  });

  test("is no swell, no interruption and no undervoltage", () => {
    expect(find({ 100: { volts: 475, isDisturbed: true } })).toEqual([]);
    expect(find(during(100, 105, { volts: 20, isDisturbed: true }))).toEqual([]);
    expect(find({ 100: { volts: 300, isDisturbed: true }, 101: { volts: 20, isDisturbed: true } })).toEqual([]);
    expect(find(during(100, 160, { volts: 400 }))).toHaveLength(1);
    expect(find(during(100, 161, { volts: 400 }))).toEqual([]);
  });

  test("with one line gone is still a sag; of an inactive line is none", () => {
    expect(find({ 100: { volts: [20, 400, 400], isDisturbed: true } })).toHaveLength(1);
    expect(find({ 100: { volts: [300, 460, 460] } }, { activeVoltages: [false, true, true] })).toEqual([]);
  });

  test("a minute after another is the same message; at the edges of the file it is seen", () => {
    const dip = { volts: 440, isDisturbed: true };
    expect(find({ 100: dip, 150: dip, 300: dip }).map(({ second }) => second)).toEqual([100, 300]);
    // The minute is that after its end.
    expect(find({ ...during(100, 140, { volts: 380 }), 190: dip, 260: dip }).map(({ second }) => second)).toEqual([100, 260]);
    // What was no sag hides none that follows.
    expect(find({ 100: { volts: 475, isDisturbed: true }, 130: dip }).map(({ second }) => second)).toEqual([130]);
    expect(find({ 0: dip, 899: dip }).map(({ second }) => second)).toEqual([0, 899]);
  });

  test("bears a line without a value, and needs an active line", () => {
    const disturbed = { volts: [Number.NaN, 300, 460], isDisturbed: true };
    expect(find({ 100: disturbed })).toEqual([{ kind: "voltageSag", second: 100, value: 65.2, limit: 90 }]);
    expect(find({ 100: disturbed, 99: { volts: [Number.NaN, 460, 460] }, 101: { volts: [Number.NaN, 460, 460] } })).toHaveLength(1);
    expect(find({ 100: { volts: 300, isDisturbed: true } }, { activeVoltages: [false, false, false] })).toEqual([]);
  });

  test("needs a nameplate", () => {
    for (const npVoltage of [undefined, 0]) expect(find({ 100: { volts: 300, isDisturbed: true } }, { npVoltage })).toEqual([]);
  });
});

describe("a loss-of-phase transient", () => {
  const open = { amps: [0.2, 173, 172] };
  test("is an open phase that returns with more than five times full load within two seconds", () => {
    expect(find({ 100: open, 101: { amps: [640, 630, 650] } })).toEqual([
      { kind: "lossOfPhaseTransient", second: 100, value: 650, limit: 500 },
    ]);
    expect(find({ 100: open, 102: { amps: 501 } })).toHaveLength(1);
    expect(find({ 100: open, 103: { amps: 650 } })).toEqual([]);
    expect(find({ 100: open, 101: { amps: 500 } })).toEqual([]);
  });

  test("may be of any phase, whose noise is no current; within a minute of another it is the same message", () => {
    for (const amps of [
      [173, 1, 172],
      [172, 173, 1],
      [1, 173, 172],
    ])
      expect(find({ 100: { amps }, 101: { amps: 650 } })).toHaveLength(1);
    expect(find({ 100: { amps: [1.1, 173, 172] }, 101: { amps: 650 } })).toEqual([]);
    const again = (second: number) => ({ [second]: open, [second + 1]: { amps: 650 } });
    expect(find({ ...again(100), ...again(160) })).toHaveLength(1);
    expect(find({ ...again(100), ...again(161) })).toHaveLength(2);
  });

  test("is no steady single phasing, no start, and nothing on a node with an inactive channel", () => {
    expect(find(during(100, 160, open))).toEqual([]);
    expect(find({ ...during(0, 100, { amps: 0 }), 100: { amps: 640 } })).toEqual([]);
    expect(find({ 100: open, 101: { amps: 650 } }, { activeCurrents: [true, true, false] })).toEqual([]);
  });
});

describe("a long start", () => {
  const start = (seconds: number) => ({ ...during(0, 100, { amps: 0.2 }), ...during(100, 100 + seconds, { amps: 600 }) });
  test("is above 150 % of full load for longer than start_seconds", () => {
    expect(find(start(12))).toEqual([{ kind: "longStart", second: 100, value: 12, limit: 10 }]);
    expect(find(start(10))).toEqual([]);
    expect(find(start(12), { startSeconds: 15 })).toEqual([]);
    // A channel that is not active has no part in the mean.
    const activeCurrents = [true, true, false] as const;
    expect(find({ ...during(0, 100, { amps: 0.2 }), ...during(100, 112, { amps: [200, 200, 0] }) }, { activeCurrents })).toHaveLength(1);
    // At its noise current a machine is stopped.
    expect(find({ ...start(12), 99: { amps: 1 } })).toHaveLength(1);
    expect(find({ ...start(12), 99: { amps: 1.1 } })).toEqual([]);
  });

  test("begins at standstill, within the file; a jam is none; what the file still shows of one counts", () => {
    expect(find(during(100, 130, { amps: 600 }))).toEqual([]);
    expect(find(during(0, 30, { amps: 600 }))).toEqual([]);
    expect(find({ ...during(0, 880, { amps: 0 }), ...during(880, 900, { amps: 600 }) })).toMatchObject([{ second: 880, value: 20 }]);
    expect(find({ ...during(0, 50, { amps: Number.NaN }), ...during(50, 80, { amps: 600 }) })).toEqual([]);
  });
});

test("without a full-load current, or with 0, nothing is judged against it", () => {
  const start = { ...during(0, 100, { amps: 0 }), ...during(100, 120, { amps: 600 }) };
  const transient = { 200: { amps: [0.2, 173, 172] }, 201: { amps: 650 } };
  expect(find({ ...start, ...transient })).toHaveLength(2);
  for (const npCurrent of [undefined, 0]) expect(find({ ...start, ...transient }, { npCurrent })).toEqual([]);
});

test("a second without a value of a phase is no open phase", () => {
  for (const amps of [
    [Number.NaN, 173, 172],
    [173, Number.NaN, 172],
    [173, 172, Number.NaN],
  ])
    expect(find({ 100: { amps }, 101: { amps: 650 } })).toEqual([]);
});
