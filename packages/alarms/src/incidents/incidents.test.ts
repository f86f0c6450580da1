import { describe, expect, test } from "vitest";
import { continueCourse, lastingLossSeconds, quietSeconds, type Course } from "./incident-course.ts";
import { causeOfAlarm, occurrencesOf, type JudgedNode, type Occurrence } from "./occurrences.ts";

const now = 1_800_000_000;

describe("what a verdict's evidence belongs to", () => {
  const act = (kind: JudgedNode["evidence"][number]["kind"], since: number | undefined = now - 60) => ({
    kind,
    gravity: "act" as const,
    since,
  });
  const never = (kind: JudgedNode["evidence"][number]["kind"]) => ({ kind, gravity: "act" as const, since: undefined });
  const look = (kind: JudgedNode["evidence"][number]["kind"]) => ({ kind, gravity: "look" as const, since: now - 60 });
  test.for<[what: string, evidence: JudgedNode["evidence"], facilityId: number | undefined, causes: string[] | undefined]>([
    ["a node that is well", [], 12, []],
    ["an outage", [act("outage")], 12, ["outage/12"]],
    ["an outage of a node that was taken away from its place", [act("outage")], undefined, ["link/10604"]],
    ["a loss", [act("away")], 12, ["link/10604"]],
    ["tries that are refused", [act("refused")], 12, ["link/10604"]],
    ["a node that never connected", [never("away")], 12, []],
    ["one whose first tries are refused", [never("refused")], 12, []],
    ["a link that drops", [look("unstable")], 12, ["link/10604"]],
    ["drops of the last day beside a node that is well", [{ kind: "unstable", gravity: "note", since: undefined }], 12, []],
    ["why a node is away, beside that it is", [act("refused"), { kind: "away", gravity: "note", since: undefined }], 12, ["link/10604"]],
    ["several occurrences", [act("silent"), act("sensor"), look("unstable")], 12, ["link/10604", "sensor/10604", "silent/10604"]],
    ["alarms, which have rows of their own", [act("alarm")], 12, []],
    ["what asks for a look only", [look("late"), look("clock"), look("config")], 12, []],
    ["a node in no service", [{ kind: "quiet", gravity: "note", since: now }], 12, []],
    ["an absence of the platform", [{ kind: "unknown", gravity: "note", since: now }, act("sensor")], 12, undefined],
  ])("%s", ([, evidence, facilityId, causes]) => {
    const occurrences = occurrencesOf({ serial: 10604, facilityId, evidence }, now);
    expect(occurrences?.map(({ cause }) => cause.key).toSorted()).toEqual(causes);
  });

  test("an occurrence begins when its evidence says, or now", () => {
    const occurrences = occurrencesOf(
      { serial: 10604, facilityId: 12, evidence: [act("away", now - 60.5), { ...act("sensor"), since: undefined }] },
      now,
    );
    expect(occurrences?.map(({ beganAt }) => beganAt)).toEqual([now - 60.5, now]);
  });

  test("of several findings of one cause the gravest says since when, and whether it goes on", () => {
    const evidence = [act("away", now - 60), { ...look("unstable"), since: now - 4_000 }];
    expect(occurrencesOf({ serial: 10604, facilityId: 12, evidence }, now)).toMatchObject([{ beganAt: now - 60, isContinued: false }]);
  });

  test("an alarm is the node's, but for what meets a whole facility", () => {
    expect(causeOfAlarm("overVoltage", 10604, 12).key).toBe("alarm/10604/overVoltage");
    expect(causeOfAlarm("voltageSag", 10604, 12).key).toBe("alarm/facility 12/voltageSag");
    expect(causeOfAlarm("voltageSag", 10604, undefined).key).toBe("alarm/10604/voltageSag");
  });
});

describe("the course of an incident", () => {
  const alarm = (from: number, to?: number, serial = 10604): Occurrence => ({
    cause: causeOfAlarm("voltageSag", serial, 12),
    serial,
    beganAt: now + from,
    endedAt: to === undefined ? undefined : now + to,
  });
  const loss = (from: number, to?: number, isContinued = false): Occurrence => ({
    ...alarm(from, to),
    cause: { key: "link/10604", kind: "link", alarmKind: "", facilityId: 12 },
    isContinued,
  });
  /** Each step is a run at its time; the last incident is kept, as the database does. */
  function follow(...runs: [at: number, ...occurrences: Occurrence[]][]): string[] {
    const all: Course[] = [];
    for (const [at, ...occurrences] of runs) {
      for (const course of continueCourse(all.at(-1), occurrences, now + at)) {
        if (course.id !== undefined) continue;
        course.id = all.push(course);
      }
    }
    const end = (time: number | undefined) => (time === undefined ? "…" : time - now);
    return all.map(({ beganAt, endedAt, calmSince, members }) => {
      const counts = [...members].map(([serial, { count }]) => `${serial} ${count}x`).join(", ");
      return `${beganAt - now} to ${end(endedAt ?? calmSince)}${endedAt === undefined ? " open" : ""}: ${counts}`;
    });
  }

  test.for<[what: string, runs: Parameters<typeof follow>, incidents: string[]]>([
    ["lasts while its occurrence does", [[10, alarm(0)], [5_000]], ["0 to … open: 10604 1x"]],
    [
      "stays open for a while",
      [
        [10, alarm(0)],
        [60, alarm(0, 50)],
      ],
      ["0 to 50 open: 10604 1x"],
    ],
    ["ends with its last occurrence", [[10, alarm(0)], [60, alarm(0, 50)], [50 + quietSeconds]], ["0 to 50: 10604 1x"]],
    [
      "holds what comes again soon",
      [
        [10, alarm(0, 50)],
        [400, alarm(350)],
        [500, alarm(350, 450)],
      ],
      ["0 to 450 open: 10604 2x"],
    ],
    [
      "is another one after the while",
      [
        [10, alarm(0, 50)],
        [60 + quietSeconds, alarm(55 + quietSeconds)],
      ],
      ["0 to 50: 10604 1x", `${55 + quietSeconds} to … open: 10604 1x`],
    ],
    [
      "holds all nodes that have it",
      [
        [10, alarm(0, 5), alarm(2, 2, 10605)],
        [20, alarm(12, 14, 10606)],
      ],
      ["0 to 14 open: 10604 1x, 10605 1x, 10606 1x"],
    ],
    ["waits for the last of them", [[10, alarm(0), alarm(2, 4, 10605)]], ["0 to … open: 10604 1x, 10605 1x"]],
    [
      "counts nothing twice",
      [
        [10, alarm(0, 5)],
        [20, alarm(0, 5)],
        [30, alarm(0, 5)],
      ],
      ["0 to 5 open: 10604 1x"],
    ],
    [
      "is not made of what is older than the last one's end",
      [[10, alarm(0, 5)], [9_000], [9_010, alarm(-100, -50), alarm(0, 5)]],
      ["0 to 5: 10604 1x"],
    ],
    ["is over at once when it is reported late", [[9_000, alarm(0, 5)]], ["0 to 5: 10604 1x"]],
    [
      "is not made of a loss that passes",
      [
        [5, loss(0)],
        [100, loss(0, 90)],
      ],
      [],
    ],
    [
      "is made of a loss that lasts",
      [
        [5, loss(0)],
        [lastingLossSeconds, loss(0)],
      ],
      ["0 to … open: 10604 1x"],
    ],
    [
      "holds each loss of a link that drops, and is no longer one when it is up",
      [
        [5, loss(0, undefined, true)],
        [60, loss(50)],
        [90, loss(80, undefined, true)],
      ],
      ["0 to … open: 10604 2x"],
    ],
  ])("%s", ([, runs, incidents]) => {
    expect(follow(...runs)).toEqual(incidents);
  });

  test("thousands of one alarm in a minute are one incident", () => {
    const occurrences = Array.from({ length: 5_000 }, (_, index) => alarm(index / 128, index / 128));
    expect(follow([60, ...occurrences])).toEqual(["0 to 39.0546875 open: 10604 5000x"]);
  });
  test("an incident whose nodes were deleted ends", () => {
    const course = continueCourse(undefined, [alarm(0)], now)[0]!;
    course.members.clear();
    course.id = 1;
    expect(continueCourse(course, [], now + 60)[0]).toMatchObject({ calmSince: now + 60, endedAt: undefined });
    expect(continueCourse(course, [], now + 60 + quietSeconds)[0]).toMatchObject({ endedAt: now + 60 });
  });
});
