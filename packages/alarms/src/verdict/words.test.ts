import { expect, test } from "vitest";
import { alarmWords } from "./alarm-words.ts";
import { atLeast } from "./at-least.ts";
import { wrongClockWords } from "./clock-words.ts";
import { createFindings } from "./findings.ts";
import { momentWords } from "./moment-words.ts";
import { gravities, gravityOf, rankOf, verdictKinds, type VerdictKind } from "./verdict-kinds.ts";

test("a kind of alarm is words within a sentence", () => {
  expect(["underVoltage", "voltageThd", "stopOfInterest", "Trip", "x".repeat(60)].map(alarmWords)).toEqual([
    "under voltage",
    "voltage THD",
    "stop of interest",
    "trip",
    "x".repeat(40),
  ]);
});

test("a count that changes all the time, and a clock that trembles, are said in words that stay", () => {
  expect([0, 9, 10, 99, 100, 5_000].map(atLeast)).toEqual(["0", "9", "at least 10", "at least 10", "at least 100", "at least 1000"]);
  expect([undefined, 2, -2, 2.6, -59.4, 89, 5_400, -172_800].map(wrongClockWords)).toEqual([
    undefined,
    undefined,
    undefined,
    "Its clock is about 3 s ahead",
    "Its clock is about 59 s behind",
    "Its clock is about 1 min ahead",
    "Its clock is about 2 h ahead",
    "Its clock is about 2 d behind",
  ]);
});

test("a moment is said with its day after twenty hours, and with its year after a year, by the clocks of the place", () => {
  const at = Date.UTC(2026, 10, 21, 8, 48) / 1000;
  const said = (hours: number, zone?: string) => momentWords(at, zone, at + hours * 3_600);
  expect([said(0, "America/Los_Angeles"), said(19.9), said(20), said(-20), said(8_760), said(8_761)]).toEqual([
    "00:48 PST",
    "08:48 UTC",
    "21 Nov 08:48 UTC",
    "21 Nov 08:48 UTC",
    "21 Nov 08:48 UTC",
    "21 Nov 2026 08:48 UTC",
  ]);
  expect([said(0, "Nowhere/At_All"), momentWords(Number.NaN, "UTC", at)]).toEqual(["08:48 UTC", "a moment that is not known"]);
});

test("a verdict is judged again when its words gain a date, and when something begins or ends, the first of them", () => {
  const findings = createFindings("UTC", 1_000);
  expect(findings.dueAt()).toBeUndefined();
  findings.note("meter", "The meter has sent nothing", 900);
  expect(findings.dueAt()).toBe(900 + 20 * 3_600);
  expect([findings.isPast(5_000), findings.isPast(1_000), findings.isPast(999)]).toEqual([false, true, true]);
  findings.due(6_000);
  findings.due(undefined);
  expect(findings.dueAt()).toBe(5_000);
  findings.note("away", "It is away");
  findings.noteBeside("files", "A file.", undefined, "why");
  expect(findings.found().map(({ kind, gravity, sentence }) => `${kind} ${gravity}: ${sentence}`)).toEqual([
    "away act: It is away.",
    "meter look: The meter has sent nothing since 00:15 UTC.",
  ]);
  expect(findings.beside()).toEqual([{ kind: "files", gravity: "note", sentence: "A file.", since: undefined, detail: "why" }]);
});

test("verdicts are ranked by gravity, the gravest first; one of a later version is a note and comes last", () => {
  expect(verdictKinds.map((kind) => gravities.indexOf(gravityOf(kind)))).toEqual(
    verdictKinds.map((kind) => gravities.indexOf(gravityOf(kind))).toSorted((a, b) => a - b),
  );
  expect(verdictKinds.map(rankOf)).toEqual([...verdictKinds.keys()]);
  const later = "later" as VerdictKind;
  expect([gravityOf(later), rankOf(later)]).toEqual(["note", verdictKinds.length]);
});
