import { describe, expect, test } from "vitest";
import { facilityOutages } from "./facility-outages.ts";
import { judgeNode } from "./judge-node.ts";
import type { Signals } from "./signals.ts";
import { verdictKinds } from "./verdict-kinds.ts";

/** 01:00 PST. */
const now = Date.UTC(2026, 0, 15, 9) / 1_000;
const ago = (minutes: number) => now - minutes * 60;

const well: Signals = {
  type: "Node",
  timezone: "America/Los_Angeles",
  status: "Deployed",
  nextStatus: undefined,
  pauses: { monitoring: false, notices: false, connectivity: false },
  mutedUntil: undefined,
  scalarIntervalSeconds: 10,
  dataIntervalSeconds: 900,
  isConnected: true,
  connectionChangedAt: ago(6_000),
  endReason: undefined,
  drops: [],
  refusals: [],
  parent: undefined,
  lastScalarAt: now - 4,
  oldestValueAt: now - 4,
  lastMeterAt: now - 20,
  clockAheadSeconds: 0.1,
  isSensorOk: true,
  lastDataFileAt: ago(15),
  lastSecondFileAt: ago(15),
  failedFiles: undefined,
  quarantine: [],
  alarms: [],
  configDifferences: [],
  outage: undefined,
  platform: { awaySince: undefined, wentAt: undefined, backAt: undefined },
};
const away = { isConnected: false, connectionChangedAt: ago(12), lastScalarAt: ago(12), oldestValueAt: ago(12), lastMeterAt: ago(12) };
const neverHeard = {
  isConnected: false,
  connectionChangedAt: undefined,
  lastScalarAt: undefined,
  oldestValueAt: undefined,
  lastMeterAt: undefined,
  clockAheadSeconds: undefined,
  isSensorOk: undefined,
  lastDataFileAt: undefined,
  lastSecondFileAt: undefined,
};
const fourDrops = [ago(50), ago(40), ago(25), ago(12)];
const alarm = (kind: string, minutes: number) => ({ kind, raisedAt: ago(minutes) });
const refused = (reason: string, minutes = 2, count = 12) => ({ reason, count, lastAt: ago(minutes) });
const paused = { monitoring: false, notices: true, connectivity: false };
const difference = { key: "i_noise", confirmed: "16", actual: "2" };
const long = "x".repeat(5_000);

const table: [what: string, signals: Partial<Signals>, kind: string, sentence: string][] = [
  ["nothing", {}, "fine", "Nothing is wrong."],
  ["a birth a moment ago", { connectionChangedAt: now - 5, lastScalarAt: ago(30) }, "fine", "Nothing is wrong."],
  ["two drops", { drops: [ago(50), ago(40)] }, "fine", "Nothing is wrong."],
  ["drops of yesterday", { drops: [ago(700), ago(690), ago(680)] }, "fine", "Nothing is wrong."],
  ["drops that will be", { drops: [now + 60, now + 120, now + 180] }, "fine", "Nothing is wrong."],
  ["drops, connected", { drops: fourDrops }, "unstable", "The link drops: 4 times in the last hour, connected since 10 Jan 21:00 PST."],
  ["away", away, "away", "Its connection ended, away since 00:48 PST."],
  ["away and drops", { ...away, drops: fourDrops }, "away", "The link drops: 4 times in the last hour, away since 00:48 PST."],
  ["away for a day", { ...away, connectionChangedAt: ago(1_500) }, "away", "Its connection ended, away since 14 Jan 00:00 PST."],
  ["away for a year", { ...away, connectionChangedAt: ago(600_000) }, "away", "Its connection ended, away since 24 Nov 2024 09:00 PST."],
  ["silent when asked", { ...away, endReason: "no-answer" }, "away", "It was silent and gave no answer when asked, away since 00:48 PST."],
  [
    "broker began anew",
    { ...away, endReason: "restart" },
    "away",
    "It has not come back since the broker began anew, away since 00:48 PST.",
  ],
  ["an unknown reason", { ...away, endReason: "constructor" }, "away", "Its connection ended, away since 00:48 PST."],
  ["never connected", neverHeard, "away", "It has never connected."],
  [
    "away with its parent",
    { ...away, type: "subNode", parent: { serial: "10604", isConnected: false } },
    "away",
    "Away with its parent node 10604 since 00:48 PST.",
  ],
  [
    "away, its parent not",
    { ...away, type: "subNode", parent: { serial: "10604", isConnected: true } },
    "away",
    "Its connection ended, away since 00:48 PST.",
  ],
  ["wrong secret", { ...away, refusals: [refused("credentials")] }, "refused", "Refused for a wrong secret, away since 00:48 PST."],
  ["revoked", { ...away, refusals: [refused("revoked")] }, "refused", "Refused for a secret that was revoked, away since 00:48 PST."],
  [
    "another's name",
    { ...away, refusals: [refused("identifier")] },
    "refused",
    "Refused for a user name that is not its serial number, away since 00:48 PST.",
  ],
  [
    "another's will",
    { ...away, refusals: [refused("will topic")] },
    "refused",
    "Refused for a last will that is not its own, away since 00:48 PST.",
  ],
  ["too often", { ...away, refusals: [refused("connect-rate")] }, "refused", "Refused for connecting too often, away since 00:48 PST."],
  ["another reason", { ...away, refusals: [refused("toString")] }, "refused", "Refused for the reason toString, away since 00:48 PST."],
  [
    "the newest reason counts",
    { ...away, refusals: [refused("connect-rate", 5), refused("credentials", 1)] },
    "refused",
    "Refused for a wrong secret, away since 00:48 PST.",
  ],
  ["never connected, refused", { ...neverHeard, refusals: [refused("credentials")] }, "refused", "Refused for a wrong secret, away."],
  [
    "refused before it was lost",
    { ...away, refusals: [refused("credentials", 13)] },
    "away",
    "Its connection ended, away since 00:48 PST.",
  ],
  [
    "refused long ago",
    { ...away, connectionChangedAt: ago(60), refusals: [refused("credentials", 20)] },
    "away",
    "Its connection ended, away since 00:00 PST.",
  ],
  ["refused, connected since", { refusals: [refused("credentials")] }, "fine", "Nothing is wrong."],
  ["no room at the broker", { ...away, refusals: [refused("no-room")] }, "away", "Its connection ended, away since 00:48 PST."],
  [
    "facility",
    { ...away, outage: { since: ago(13), lostCount: 4, nodeCount: 5 } },
    "outage",
    "Outage of the facility: 4 of 5 nodes lost within two minutes, away since 00:48 PST.",
  ],
  [
    "facility, but refused",
    { ...away, outage: { since: ago(13), lostCount: 4, nodeCount: 5 }, refusals: [refused("credentials")] },
    "refused",
    "Refused for a wrong secret, away since 00:48 PST.",
  ],
  ["away with an alarm", { ...away, alarms: [alarm("lossOfPhase", 14)] }, "away", "Its connection ended, away since 00:48 PST."],
  [
    "ingest away",
    { platform: { awaySince: ago(30), wentAt: undefined, backAt: undefined } },
    "unknown",
    "Not known: the platform has not listened since 00:30 PST.",
  ],
  [
    "ingest away, node too",
    { ...away, platform: { awaySince: ago(30), wentAt: undefined, backAt: undefined } },
    "unknown",
    "Not known: the platform has not listened since 00:30 PST.",
  ],
  [
    "ingest away, open alarm",
    { alarms: [alarm("lossOfPhase", 60)], platform: { awaySince: ago(30), wentAt: undefined, backAt: undefined } },
    "unknown",
    "Not known: the platform has not listened since 00:30 PST.",
  ],
  [
    "ingest away, paused",
    { pauses: paused, platform: { awaySince: ago(30), wentAt: undefined, backAt: undefined } },
    "unknown",
    "Not known: the platform has not listened since 00:30 PST.",
  ],
  [
    "platform just back",
    { ...away, platform: { awaySince: undefined, wentAt: ago(20), backAt: now + 60 } },
    "unknown",
    "Not known: the platform is back, and nodes are on their way back to it.",
  ],
  [
    "away before the platform was",
    { ...away, connectionChangedAt: ago(30), platform: { awaySince: undefined, wentAt: ago(20), backAt: now + 60 } },
    "away",
    "Its connection ended, away since 00:30 PST.",
  ],
  [
    "never connected, platform just back",
    { ...neverHeard, platform: { awaySince: undefined, wentAt: ago(20), backAt: now + 60 } },
    "away",
    "It has never connected.",
  ],
  [
    "platform back for long",
    { ...away, platform: { awaySince: undefined, wentAt: ago(20), backAt: ago(5) } },
    "away",
    "Its connection ended, away since 00:48 PST.",
  ],
  [
    "platform back, scalars not yet",
    { lastScalarAt: ago(30), platform: { awaySince: undefined, wentAt: ago(20), backAt: now + 60 } },
    "fine",
    "Nothing is wrong.",
  ],
  ["late scalars", { lastScalarAt: ago(2) }, "late", "No scalars since 00:58 PST."],
  ["three intervals of a slow node", { scalarIntervalSeconds: 60, lastScalarAt: now - 170 }, "fine", "Nothing is wrong."],
  ["just not late", { lastScalarAt: now - 29 }, "fine", "Nothing is wrong."],
  ["late at the second", { lastScalarAt: now - 30 }, "late", "No scalars since 00:59 PST."],
  ["silent for an hour", { lastScalarAt: ago(60) }, "silent", "No scalars since 00:00 PST."],
  [
    "connected, no scalar since it came back",
    { lastScalarAt: ago(30), connectionChangedAt: ago(5) },
    "late",
    "Connected without a scalar since 00:55 PST.",
  ],
  [
    "connected, never a scalar",
    { lastScalarAt: undefined, connectionChangedAt: ago(5) },
    "late",
    "Connected without a scalar since 00:55 PST.",
  ],
  ["a sub node that is silent", { type: "subNode", lastScalarAt: ago(90) }, "silent", "No scalars since 23:30 PST."],
  ["clock a day behind", { lastScalarAt: now - 86_404, clockAheadSeconds: -86_400 }, "clock", "Its clock is about 1 d behind."],
  [
    "clock a day ahead",
    {
      lastScalarAt: now + 86_390,
      oldestValueAt: now + 86_390,
      lastMeterAt: now + 86_380,
      lastDataFileAt: ago(15) + 86_400,
      lastSecondFileAt: ago(15) + 86_400,
      clockAheadSeconds: 86_400,
    },
    "clock",
    "Its clock is about 1 d ahead.",
  ],
  ["clock a day ahead, and silent", { lastScalarAt: ago(10) + 86_400, clockAheadSeconds: 86_400 }, "late", "No scalars since 00:50 PST."],
  [
    "clock an hour ahead, and all that it dates refused for it",
    {
      connectionChangedAt: ago(200),
      lastScalarAt: ago(100),
      clockAheadSeconds: 3_600,
      quarantine: [{ reason: "timestamp-in-future", count: 90, lastAt: now - 8 }],
      failedFiles: { count: 12, since: ago(90), reason: "Its time lies ahead" },
      lastDataFileAt: ago(120),
      lastSecondFileAt: ago(120),
    },
    "clock",
    "Its clock is about 1 h ahead: its scalars are refused.",
  ],
  [
    "clock an hour ahead, refused until it went silent",
    {
      connectionChangedAt: ago(200),
      lastScalarAt: ago(100),
      clockAheadSeconds: 3_600,
      quarantine: [{ reason: "timestamp-in-future", count: 90, lastAt: ago(5) }],
    },
    "silent",
    "No scalars since 22:20 PST.",
  ],
  [
    "clock a day behind, meter and files too",
    {
      lastScalarAt: now - 86_404,
      oldestValueAt: now - 86_404,
      lastMeterAt: now - 86_430,
      lastDataFileAt: ago(15) - 86_400,
      lastSecondFileAt: ago(15) - 86_400,
      clockAheadSeconds: -86_400,
    },
    "clock",
    "Its clock is about 1 d behind.",
  ],
  [
    "meter silent, and its powers missing",
    { lastMeterAt: ago(40), oldestValueAt: ago(41) },
    "meter",
    "The meter has sent nothing since 00:20 PST.",
  ],
  [
    "meter silent, and a phase missing for longer",
    { lastMeterAt: ago(40), oldestValueAt: ago(90) },
    "partial",
    "Scalars come without some of their values since 23:30 PST.",
  ],
  [
    "files that come and fail",
    { lastSecondFileAt: ago(200), failedFiles: { count: 9, since: ago(180), reason: "Cut off" } },
    "extraction",
    "9 files could not be extracted, the first since 22:00 PST.",
  ],
  ["clock 3.4 s ahead", { clockAheadSeconds: 3.4 }, "clock", "Its clock is about 3 s ahead."],
  ["clock 2 s off", { clockAheadSeconds: -2 }, "fine", "Nothing is wrong."],
  ["partial", { oldestValueAt: ago(45) }, "partial", "Scalars come without some of their values since 00:15 PST."],
  ["reports by exception", { oldestValueAt: ago(14) }, "fine", "Nothing is wrong."],
  ["meter", { lastMeterAt: ago(20) }, "meter", "The meter has sent nothing since 00:40 PST."],
  ["no meter", { lastMeterAt: undefined }, "fine", "Nothing is wrong."],
  ["sensor", { isSensorOk: false }, "sensor", "It reports that a sensor is not well."],
  ["sensor before late files", { isSensorOk: false, lastDataFileAt: ago(90) }, "sensor", "It reports that a sensor is not well."],
  ["15-minute file", { lastDataFileAt: ago(60) }, "files", "No 15-minute file since 00:15 PST."],
  ["15-minute file on its way", { lastDataFileAt: ago(37) }, "fine", "Nothing is wrong."],
  ["one-second file", { lastSecondFileAt: ago(60) }, "files", "No one-second file since 00:15 PST."],
  ["file of an hour", { dataIntervalSeconds: 3_600, lastDataFileAt: ago(180) }, "files", "No 60-minute file since 23:00 PST."],
  [
    "files of before it came back",
    { lastDataFileAt: ago(90), lastSecondFileAt: undefined, connectionChangedAt: ago(10) },
    "fine",
    "Nothing is wrong.",
  ],
  [
    "never a file",
    { lastDataFileAt: undefined, lastSecondFileAt: undefined, connectionChangedAt: ago(300) },
    "files",
    "No 15-minute file has ever come, connected since 20:00 PST.",
  ],
  ["a few failed files", { failedFiles: { count: 3, since: ago(80), reason: "line 3" } }, "fine", "Nothing is wrong."],
  [
    "failed files",
    { failedFiles: { count: 4, since: ago(80), reason: "line 3" } },
    "extraction",
    "4 files could not be extracted, the first since 23:40 PST.",
  ],
  [
    "many failed files",
    { failedFiles: { count: 34, since: ago(80), reason: "line 3" } },
    "extraction",
    "At least 10 files could not be extracted, the first since 23:40 PST.",
  ],
  ["quarantine", { quarantine: [refused("bad-seq")] }, "quarantine", "Messages of the last hour could not be used."],
  ["old quarantine", { quarantine: [refused("bad-seq", 61)] }, "fine", "Nothing is wrong."],
  ["an alarm", { alarms: [alarm("underVoltage", 14)] }, "alarm", "Under voltage since 00:46 PST."],
  [
    "alarms",
    { alarms: [alarm("voltageThd", 3), alarm("underVoltage", 14)] },
    "alarm",
    "2 alarms: under voltage, voltage THD; the first since 00:46 PST.",
  ],
  ["an alarm named like a method", { alarms: [alarm("toString", 14)] }, "alarm", "To string since 00:46 PST."],
  ["an alarm of another version", { alarms: [alarm("arcFlash", 14)] }, "alarm", "Arc flash since 00:46 PST."],
  ["alarm before late scalars", { alarms: [alarm("underVoltage", 14)], lastScalarAt: ago(5) }, "alarm", "Under voltage since 00:46 PST."],
  ["silence before an alarm", { alarms: [alarm("underVoltage", 14)], lastScalarAt: ago(61) }, "silent", "No scalars since 23:59 PST."],
  ["configuration", { configDifferences: [difference] }, "config", "i_noise at the node is not what it confirmed."],
  [
    "configurations",
    { configDifferences: [difference, { ...difference, key: "np_hp" }] },
    "config",
    "2 values at the node are not what it confirmed.",
  ],
  [
    "configuration of a node that is away",
    { ...away, configDifferences: [difference] },
    "away",
    "Its connection ended, away since 00:48 PST.",
  ],
  [
    "not monitored",
    { ...away, pauses: { ...paused, monitoring: true } },
    "paused",
    "Not monitored. Its connection ended, away since 00:48 PST.",
  ],
  ["paused", { isSensorOk: false, pauses: paused }, "paused", "Notices are paused. It reports that a sensor is not well."],
  [
    "connection paused, away",
    { ...away, pauses: { ...paused, notices: false, connectivity: true } },
    "paused",
    "Notices of its connection are paused. Its connection ended, away since 00:48 PST.",
  ],
  [
    "connection paused, sensor",
    { isSensorOk: false, pauses: { ...paused, notices: false, connectivity: true } },
    "sensor",
    "It reports that a sensor is not well.",
  ],
  ["muted", { ...away, mutedUntil: ago(-30) }, "paused", "Muted until 01:30 PST. Its connection ended, away since 00:48 PST."],
  [
    "muted for days",
    { isSensorOk: false, mutedUntil: ago(-60 * 48) },
    "paused",
    "Muted until 17 Jan 01:00 PST. It reports that a sensor is not well.",
  ],
  ["muted until now", { isSensorOk: false, mutedUntil: now }, "sensor", "It reports that a sensor is not well."],
  ["muted and well", { mutedUntil: ago(-30) }, "fine", "Nothing is wrong."],
  ["paused and well", { pauses: paused }, "fine", "Nothing is wrong."],
  ["pre-deployment", { ...neverHeard, status: "Pre-Deployment" }, "quiet", "Pre-Deployment: it has never connected."],
  ["pre-deployment, away", { ...away, status: "Pre-Deployment" }, "quiet", "Pre-Deployment: not connected since 00:48 PST."],
  [
    "pre-deployment, refused",
    { ...neverHeard, status: "Pre-Deployment", refusals: [refused("credentials")] },
    "quiet",
    "Pre-Deployment: its tries to connect are refused for a wrong secret.",
  ],
  [
    "pre-deployment, no files",
    { status: "Pre-Deployment", lastDataFileAt: undefined, lastSecondFileAt: undefined },
    "fine",
    "Nothing is wrong.",
  ],
  ["unassigned", { ...away, status: "Unassigned" }, "quiet", "Unassigned: not connected since 00:48 PST."],
  ["decommissioned", { ...away, status: "Decommissioned", alarms: [alarm("underVoltage", 14)] }, "retired", "Decommissioned."],
  ["decommissioned, connected", { status: "Decommissioned" }, "retired", "Decommissioned."],
  ["status to come", { nextStatus: "Unassigned" }, "fine", "Nothing is wrong."],
  ["relay", { ...neverHeard, type: "SEL" }, "fine", "Nothing is wrong."],
  [
    "relay with a failed file, ingest away",
    {
      ...neverHeard,
      type: "SEL",
      platform: { awaySince: ago(3), wentAt: undefined, backAt: undefined },
      failedFiles: { count: 9, since: ago(80), reason: "" },
    },
    "extraction",
    "9 files could not be extracted, the first since 23:40 PST.",
  ],
  ["a zone that is none", { ...away, timezone: "Mars/Olympus" }, "away", "Its connection ended, away since 08:48 UTC."],
  ["no zone", { ...away, timezone: undefined }, "away", "Its connection ended, away since 08:48 UTC."],
  [
    "a time that is none",
    { ...away, connectionChangedAt: Number.NaN },
    "away",
    "Its connection ended, away since a moment that is not known.",
  ],
  [
    "every text at its longest",
    {
      type: long,
      timezone: long,
      status: long,
      nextStatus: long,
      endReason: long,
      refusals: [refused(long)],
      quarantine: [refused(long)],
      alarms: [alarm(long, 1)],
      configDifferences: [{ key: long, confirmed: long, actual: long }],
      failedFiles: { count: 1e12, since: ago(1), reason: long },
    },
    "alarm",
    `X${"x".repeat(39)} since 08:59 UTC.`,
  ],
];

describe("the verdict of a node", () => {
  test.each(table)("%s", (_, signals, kind, sentence) => {
    const { verdict } = judgeNode({ ...well, ...signals }, now);
    expect({ kind: verdict.kind, sentence: verdict.sentence }).toEqual({ kind, sentence });
    for (const { sentence: words, detail } of verdict.evidence) {
      expect(words).toMatch(/^\S.{0,400}\.$/);
      expect(detail.length).toBeLessThan(501);
    }
  });

  test("every kind is somewhere in the table", () => {
    expect(verdictKinds.filter((kind) => !table.some(([, , expected]) => expected === kind))).toEqual([]);
  });

  test("what is wrong beside the verdict is its evidence, gravest first", () => {
    const { verdict } = judgeNode(
      {
        ...well,
        isSensorOk: false,
        clockAheadSeconds: 60,
        lastScalarAt: now + 56,
        alarms: [alarm("underVoltage", 14)],
        configDifferences: [difference],
        nextStatus: "Unassigned",
        drops: [ago(90)],
      },
      now,
    );
    expect(verdict.evidence.map(({ kind, gravity, detail }) => [kind, gravity, detail])).toEqual([
      ["sensor", "act", ""],
      ["alarm", "act", ""],
      ["clock", "look", ""],
      ["config", "look", "i_noise: 2 at the node, 16 was confirmed"],
      ["unstable", "note", ""],
      ["pending", "note", ""],
    ]);
  });

  test("a status that the node has already is none to come", () => {
    expect(judgeNode({ ...well, nextStatus: well.status }, now).verdict.evidence).toEqual([]);
  });
});

/** Everything at which time alone changes the verdict of these signals within a day. */
function courseOf(signals: Partial<Signals>): [minutes: number, kind: string][] {
  const course: [number, string][] = [];
  for (let at: number | undefined = now; at !== undefined && at < now + 86_400;) {
    const { verdict, dueAt } = judgeNode({ ...well, ...signals }, at);
    if (course.at(-1)?.[1] !== verdict.kind) course.push([Math.round((at - now) / 60), verdict.kind]);
    expect(dueAt === undefined || dueAt > at).toBe(true);
    at = dueAt;
  }
  return course;
}

test.each([38, 39, 40, 41])("texts that are cut stay whole characters (%s)", (length) => {
  const text = `${"x".repeat(length)}${"\u{1f525}".repeat(600)}`;
  const { verdict } = judgeNode(
    { ...well, configDifferences: [{ key: text, confirmed: text, actual: "1" }], refusals: [refused(text)] },
    now,
  );
  expect(verdict.evidence.length).toBeGreaterThan(0);
  for (const { sentence, detail } of verdict.evidence) expect(`${sentence} ${detail}`.isWellFormed()).toBe(true);
});

test("a node that goes silent is judged again when time alone makes it late, and then silent", () => {
  expect(courseOf({ lastScalarAt: now })).toEqual([
    [0, "fine"],
    [1, "late"],
    [60, "silent"],
  ]);
});

test("drops, refusals and bad messages are forgotten in their time", () => {
  const alive = {
    lastScalarAt: now + 86_400,
    oldestValueAt: undefined,
    lastMeterAt: now + 86_400,
    lastDataFileAt: now + 86_400,
    lastSecondFileAt: now + 86_400,
  };
  expect(courseOf({ ...alive, drops: fourDrops, quarantine: [refused("bad-seq", 10)] })).toEqual([
    [0, "unstable"],
    [20, "quarantine"],
    [50, "fine"],
  ]);
  expect(courseOf({ ...away, refusals: [refused("credentials", 5)] })).toEqual([
    [0, "refused"],
    [10, "away"],
  ]);
});

test("no moment between two of them changes the verdict", () => {
  for (const [, signals] of table) {
    const { verdict, dueAt = now + 7_200 } = judgeNode({ ...well, ...signals }, now);
    for (const part of [0.25, 0.5, 0.999]) {
      const later = judgeNode({ ...well, ...signals }, now + (Math.min(dueAt, now + 7_200) - now) * part);
      expect(later.verdict).toEqual(verdict);
    }
  }
});

test.each([
  ["no-room", "Refused: the broker has no room."],
  ["credentials-unavailable", "Refused: its secret could not be checked."],
])("a refusal that is the platform's doing (%s) is evidence beside the node's own reason", (reason, sentence) => {
  const { verdict } = judgeNode({ ...well, ...away, refusals: [refused(reason, 1), refused("revoked", 3)] }, now);
  expect(verdict.kind).toBe("refused");
  expect(verdict.evidence.filter(({ kind }) => kind === "refused").map(({ gravity, sentence: words }) => [gravity, words])).toEqual([
    ["act", "Refused for a secret that was revoked, away since 00:48 PST."],
    ["note", sentence],
  ]);
});

describe("an outage of a facility", () => {
  const node = (serial: number, minutes?: number) => ({ serial, lostAt: minutes === undefined ? undefined : ago(minutes) });
  test("is several that were lost within two minutes", () => {
    const outages = facilityOutages([node(1, 10), node(2, 8), node(3, 11.9), node(4), node(5, 90)]);
    const [first, second] = [outages.get(3), outages.get(1)];
    expect(first).toEqual({ since: ago(11.9), lostCount: 2, nodeCount: 5 });
    expect([second, outages.get(2), outages.get(4), outages.get(5)]).toEqual([first, undefined, undefined, undefined]);
  });

  test("holds who was lost two minutes after the first, and no one after that", () => {
    const outages = facilityOutages([node(1, 10), node(2, 8), node(3, 7.9)]);
    expect([outages.get(1)?.lostCount, outages.get(2)?.lostCount, outages.get(3)]).toEqual([2, 2, undefined]);
  });

  test("is none when one is lost, or all are there", () => {
    expect(facilityOutages([node(1, 10), node(2), node(3)]).size).toBe(0);
    expect(facilityOutages([]).size).toBe(0);
  });
});
