import { describe, expect, test } from "vitest";
import type { Triple } from "./alarm-settings.ts";
import { createNodeAlarms } from "./node-alarms.ts";
import { createFeed, namesOf, settings } from "./testing/feed.ts";

const setUp = (changed: Partial<typeof settings> = {}) => {
  const alarms = createNodeAlarms({ ...settings, ...changed }, 10);
  return { alarms, feed: createFeed(alarms) };
};

test("a healthy machine that starts, runs for a day and stops unloaded raises nothing", () => {
  const { alarms, feed } = setUp();
  const changes = [
    ...feed.run(600, { currents: [0, 0, 0] }),
    ...feed.run(10, { currents: [600, 600, 600] }),
    ...feed.run(86_400),
    ...feed.run(60, { currents: [60, 60, 60] }),
    ...feed.run(3_600, { currents: [0, 0, 0] }),
  ];
  expect(changes).toEqual([]);
  expect(alarms.open().size).toBe(0);
});

describe("a limit", () => {
  test.each<[string, { voltages?: Triple; currents?: Triple }, { voltages?: Triple; currents?: Triple }]>([
    ["voltageImbalance", { voltages: [460, 460, 390] }, { voltages: [495, 450, 405] }],
    ["currentImbalance", { currents: [100, 89, 111] }, { currents: [100, 90, 110] }],
    ["overVoltage", { voltages: [500, 470, 470] }, { voltages: [496.8, 470, 470] }],
    ["underVoltage", { voltages: [410, 430, 430] }, { voltages: [414, 430, 430] }],
  ])("%s: above it raises when it has held for a minute, at it does not", (kind, above, at) => {
    const { feed } = setUp();
    feed.run(600);
    const before = feed.now();
    const [raised, ...others] = feed.run(180, above).filter((change) => change.kind === kind);
    expect([raised?.change, raised?.at, others]).toEqual(["raised", before + 120, []]);
    expect(namesOf(setUp().feed.run(3_600, at)).filter((name) => name.startsWith(kind))).toEqual([]);
  });

  test("clears only after five minutes below 95 % of it", () => {
    const { feed } = setUp();
    feed.run(600);
    expect(namesOf(feed.run(180, { voltages: [500, 500, 500] }))).toEqual(["overVoltage raised"]);
    // 7.83 %: under the limit, not under 95 % of it
    expect(namesOf(feed.run(3_600, { voltages: [496, 496, 496] }))).toEqual([]);
    expect(namesOf(feed.run(240, { voltages: [480, 480, 480] }))).toEqual([]);
    expect(namesOf(feed.run(120, { voltages: [500, 500, 500] }))).toEqual([]);
    expect(namesOf(feed.run(480, { voltages: [480, 480, 480] }))).toEqual(["overVoltage cleared"]);
    expect(namesOf(feed.run(180, { voltages: [500, 500, 500] }))).toEqual(["overVoltage raised"]);
  });
});

test("one reading in a dip of a second makes no minute", () => {
  const { feed } = setUp();
  feed.run(600);
  feed.run(20);
  expect(namesOf([...feed.run(10, { voltages: [5, 5, 5] }), ...feed.run(600)])).toEqual([]);
  const dips = () => [...feed.run(20, { voltages: [5, 5, 5] }), ...feed.run(40)];
  expect(namesOf([...dips(), ...dips(), ...feed.run(60)])).toContain("underVoltage raised");
});

describe("nothing is judged", () => {
  test("of the current below a quarter of the load, and of anything below the least voltage", () => {
    expect(namesOf(setUp().feed.run(600, { currents: [20, 10, 20] })).filter((name) => name.startsWith("currentImbalance"))).toEqual([]);
    const { feed } = setUp({ viMinimumVoltageThreshold: 470 });
    expect(namesOf(feed.run(1_200, { voltages: [460, 460, 380], currents: [130, 90, 110] }))).toEqual([]);
  });

  test("that needs a nameplate when there is none", () => {
    const { feed } = setUp({ npVoltage: undefined, npCurrent: undefined });
    expect(namesOf(feed.run(1_200, { voltages: [600, 600, 600], currents: [300, 300, 300] }))).toEqual([]);
  });

  test("across a gap: two scalars of an hour ago are no minute", () => {
    const { feed } = setUp();
    feed.run(600);
    feed.run(10, { voltages: [500, 500, 500] });
    feed.skip(3_600);
    expect(namesOf(feed.run(120))).toEqual([]);
  });
});

describe("over-current", () => {
  const minutes = (feed: ReturnType<typeof createFeed>, means: number[]) =>
    means.flatMap((mean) => feed.run(60, { currents: [mean, mean, mean] }));
  test("the moving mean of the period counts: 112, 118, 120, 116, 113 make 115.8", () => {
    const { feed } = setUp();
    minutes(feed, [80, 80, 80, 80, 80]);
    const changes = minutes(feed, [112, 118, 120, 116, 113, 116]);
    expect(namesOf(changes)).toEqual(["shortTermOverCurrent raised"]);
    expect(changes[0]!.value).toBeCloseTo(16.6, 6);
    expect(namesOf(minutes(setUp().feed, [110, 116, 117, 116, 115, 111, 115]))).toEqual([]);
  });

  test("a start is left out, a whole period is needed, and a short one raises nothing", () => {
    const { feed } = setUp();
    feed.run(300, { currents: [0, 0, 0] });
    expect(namesOf([...feed.run(10, { currents: [600, 600, 600] }), ...feed.run(1_800)])).toEqual([]);
    expect(namesOf(setUp().feed.run(240, { currents: [130, 130, 130] }))).toEqual([]);
    const shortly = setUp().feed;
    shortly.run(600);
    expect(namesOf([...shortly.run(120, { currents: [130, 130, 130] }), ...shortly.run(600)])).toEqual([]);
  });

  test("a start is left out until its time is over: the reading at its end counts", () => {
    const { feed } = setUp({ startSeconds: 60 });
    feed.run(300, { currents: [0, 0, 0] });
    const from = feed.now();
    // 27 readings of 130 among 30 are above 115, and the one after them confirms it.
    const [raised] = feed.run(1_200, { currents: [130, 130, 130] });
    expect(raised).toMatchObject({ kind: "shortTermOverCurrent", at: from + 330 });
  });

  test("a machine that ran when it was first heard of has not just started", () => {
    const { feed } = setUp({ startSeconds: 60 });
    const from = feed.now();
    const [raised] = feed.run(1_200, { currents: [130, 130, 130] });
    expect(raised).toMatchObject({ kind: "shortTermOverCurrent", at: from + 350 });
  });

  test("the long period raises later", () => {
    const { feed } = setUp();
    feed.run(3_600);
    const changes = feed.run(7_200, { currents: [120, 120, 120] });
    expect(namesOf(changes)).toEqual(["shortTermOverCurrent raised", "longTermOverCurrent raised"]);
    expect(changes[1]!.at - changes[0]!.at).toBeGreaterThan(1_800);
  });
});

test("one extreme reading in each minute raises nothing, two do", () => {
  const extremes = (count: number) => {
    const { feed } = setUp();
    feed.run(600);
    return Array.from({ length: 5 }, () => [...feed.run(10 * count, { voltages: [900, 900, 900] }), ...feed.run(60 - 10 * count)]).flat();
  };
  expect(namesOf(extremes(1))).toEqual([]);
  expect(namesOf(extremes(2))).toContain("overVoltage raised");
});

test("without voltage there is no over-current, and a machine at its noise current is stopped", () => {
  const { feed } = setUp();
  expect(namesOf(feed.run(3_600, { voltages: [0, 0, 0], currents: [130, 130, 130] }))).toEqual([]);
  expect(namesOf(setUp().feed.run(3_600, { currents: [1, 1, 1] }))).toEqual([]);
  expect(namesOf(setUp().feed.run(3_600, { currents: [1.1, 1.1, 1.1] }))).toEqual(["underload raised"]);
});

test("a lost phase raises at once and names the phase", () => {
  const { feed } = setUp();
  feed.run(600);
  const at = feed.now();
  expect(feed.run(10, { currents: [0.2, 172, 174] })).toEqual([{ kind: "lossOfPhase", change: "raised", at, value: 1, limit: 0 }]);
});

test("an underload raises when it has held for a minute, not while the machine starts or is stopped", () => {
  const { feed } = setUp();
  feed.run(600, { currents: [0, 0, 0] });
  expect(namesOf(feed.run(120, { currents: [30, 30, 30] }))).toEqual([]);
  expect(namesOf(feed.run(180, { currents: [30, 30, 30] }))).toEqual(["underload raised"]);
  expect(namesOf(feed.run(900, { currents: [0, 0, 0] }))).toEqual(["underload cleared"]);
});

test("a stop under load is reported, an unloaded one and one across a gap are not", () => {
  const { feed } = setUp();
  feed.run(600);
  expect(namesOf(feed.run(20, { currents: [0, 0, 0] }))).toEqual(["stopOfInterest raised"]);
  feed.run(600, { currents: [72, 72, 72] });
  expect(namesOf(feed.run(20, { currents: [0, 0, 0] }))).toEqual([]);
  feed.run(600);
  feed.skip(600);
  expect(namesOf(feed.run(20, { currents: [0, 0, 0] }))).toEqual([]);
});

test("a field without current is lost while its machine runs: two readings in a row", () => {
  const field = {
    npVoltage: 200,
    npCurrent: 12,
    currentNoise: 0.12,
    activeCurrents: [true, false, false] as const,
    activeVoltages: [true, false, false] as const,
    isField: true,
  };
  const { feed } = setUp(field);
  const [on, lost, weak] = [11, 0.3, 1.2].map((amps): Triple => [amps, 0, 0]) as [Triple, Triple, Triple];
  const run = (seconds: number, currents: Triple, isMachineRunning?: boolean) =>
    feed.run(seconds, { currents }, isMachineRunning).filter(({ kind }) => kind === "fieldLoss");
  expect([...run(60, on, true), ...run(10, lost, true), ...run(60, on, true)]).toEqual([]);
  expect([...run(600, lost, false), ...run(600, lost), ...run(600, weak, true)]).toEqual([]);
  const before = feed.now();
  const [raised, ...others] = run(60, lost, true);
  expect([raised?.at, raised?.limit, others]).toEqual([before + 10, 90, []]);
  expect(raised?.value).toBeCloseTo(97.5, 6);
  expect(namesOf(run(600, on, true))).toEqual(["fieldLoss cleared"]);
  // Neither its voltage nor its load is a supply's or a machine's, and its stop is its machine's.
  const controlled = [
    ...feed.run(600, { voltages: [90, 0, 0], currents: on }, true),
    ...feed.run(600, { voltages: [250, 0, 0], currents: [3, 0, 0] }, true),
    ...feed.run(60, { currents: on }, true),
    ...feed.run(60, { currents: [0, 0, 0] }, false),
  ];
  expect(namesOf(controlled)).toEqual([]);
  // Any other node has no field.
  expect(
    setUp({ ...field, isField: false })
      .feed.run(60, { currents: lost }, true)
      .filter(({ kind }) => kind === "fieldLoss"),
  ).toEqual([]);
});

test("goes on with the alarms that were open before", () => {
  const alarms = createNodeAlarms(settings, 10);
  alarms.resume(new Map([["overVoltage", 1_799_990_000]]));
  const feed = createFeed(alarms);
  expect(namesOf(feed.run(120, { voltages: [500, 500, 500] }))).toEqual([]);
  expect(alarms.open()).toEqual(new Map([["overVoltage", 1_799_990_000]]));
  expect(namesOf(feed.run(480))).toEqual(["overVoltage cleared"]);
});
