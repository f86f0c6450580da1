import { alarmWords } from "./alarm-words.ts";
import { atLeast } from "./at-least.ts";
import type { Findings } from "./findings.ts";
import type { Signals } from "./signals.ts";

/** A value that is later than so many of its intervals is late. */
const lateIntervals = 3;
const shortestLateSeconds = 30;
/** Scalars that do not come for so long do not come by themselves. */
const silentSeconds = 3_600;
/** A node that reports by exception may leave out a value for a while; a measured one never stays the same for so long. */
const staleIntervals = 30;
const shortestStaleSeconds = 900;
const meterSeconds = 300;
/** A file is due an interval after it began; it has another one and a half to arrive. */
const fileIntervals = 2.5;
/** The first file of a node is waited for so long. */
const firstFileSeconds = 4 * 3_600;
const secondFileSeconds = 900;
/** One file of a day may be spoiled on its way. */
const manyFailedFiles = 4;
const quarantineSeconds = 3_600;
const tolerableSkewSeconds = 2;

interface Heard {
  findings: Findings;
  /** It is connected, and someone listens. */
  isHeard: boolean;
  /** The platform listens: what does not come is not sent. */
  isKnown: boolean;
}

/** What the node sends, and what is wrong with it. */
export function dataFindings(signals: Signals, { findings, isHeard, isKnown }: Heard): void {
  if (isHeard) {
    noteScalars(signals, findings);
    noteFiles(signals, findings);
    if (signals.isSensorOk === false) findings.note("sensor", "It reports that a sensor is not well");
    noteClock(signals, findings);
    noteConfig(signals, findings);
  }
  if (isKnown) noteQuarantine(signals, findings);
  noteFailedFiles(signals, findings);
  noteAlarms(signals, findings);
}

/** The platform hears a node from its last connection on, and from when it was back itself. */
function heardSince({ connectionChangedAt, platform }: Signals): number {
  return Math.max(connectionChangedAt ?? -Infinity, platform.backAt ?? -Infinity);
}

/** By our clock: a node's own may be off by days. */
function lastScalarAt({ lastScalarAt: at, clockAheadSeconds = 0 }: Signals, now: number): number | undefined {
  if (at === undefined) return undefined;
  return Math.min(now, Math.abs(clockAheadSeconds) > tolerableSkewSeconds ? at - clockAheadSeconds : at);
}

function noteScalars(signals: Signals, findings: Findings): void {
  const interval = Math.max(1, signals.scalarIntervalSeconds);
  const lastAt = lastScalarAt(signals, findings.now);
  const heardAt = heardSince(signals);
  const since = Math.max(lastAt ?? -Infinity, heardAt);
  if (!Number.isFinite(since)) return;
  if (findings.isPast(since + Math.max(lateIntervals * interval, shortestLateSeconds))) {
    const words = lastAt === undefined || lastAt < heardAt ? "Connected without a scalar" : "No scalars";
    findings.note(findings.isPast(since + silentSeconds) ? "silent" : "late", words, since);
    return;
  }
  if (signals.type !== "Node") return;
  notePart(signals, interval, findings);
  noteMeter(signals, findings);
}

function notePart({ oldestValueAt, lastScalarAt: newestAt }: Signals, interval: number, findings: Findings): void {
  if (oldestValueAt === undefined || newestAt === undefined) return;
  if (newestAt - oldestValueAt > Math.max(staleIntervals * interval, shortestStaleSeconds))
    findings.note("partial", "Scalars come without some of their values", oldestValueAt);
}

function noteMeter(signals: Signals, findings: Findings): void {
  const { lastMeterAt } = signals;
  if (lastMeterAt === undefined) return;
  const since = Math.max(lastMeterAt, heardSince(signals));
  if (findings.isPast(since + Math.max(meterSeconds, lateIntervals * signals.scalarIntervalSeconds)))
    findings.note("meter", "The meter has sent nothing", since);
}

function noteFiles(signals: Signals, findings: Findings): void {
  const { status, lastDataFileAt, lastSecondFileAt, dataIntervalSeconds } = signals;
  if (status !== "Deployed" || signals.type !== "Node") return;
  const interval = Math.max(60, dataIntervalSeconds);
  const data = { name: `${Math.round(interval / 60)}-minute`, interval, lastAt: lastDataFileAt };
  const seconds = { name: "one-second", interval: secondFileSeconds, lastAt: lastSecondFileAt };
  for (const { name, interval: length, lastAt } of [data, seconds]) {
    const heardAt = heardSince(signals);
    if (lastAt === undefined) {
      // Not every node makes one-second files.
      if (name === data.name && Number.isFinite(heardAt) && findings.isPast(heardAt + firstFileSeconds))
        findings.note("files", `No ${name} file has ever come, connected`, heardAt);
      continue;
    }
    const dueSince = Math.max(lastAt + length, heardAt);
    if (findings.isPast(dueSince + (fileIntervals - 1) * length)) findings.note("files", `No ${name} file`, dueSince);
  }
}

function noteClock({ clockAheadSeconds }: Signals, findings: Findings): void {
  if (clockAheadSeconds === undefined || Math.abs(clockAheadSeconds) <= tolerableSkewSeconds) return;
  findings.note("clock", `Its clock is about ${spanWords(Math.abs(clockAheadSeconds))} ${clockAheadSeconds > 0 ? "ahead" : "behind"}`);
}

const spans = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** One unit and a whole number: it stays the same while a clock trembles. */
function spanWords(seconds: number): string {
  const [size, unit] = spans.find(([each]) => seconds >= each) ?? [1, "s"];
  return `${Math.round(seconds / size)} ${unit}`;
}

function noteConfig({ configDifferences }: Signals, findings: Findings): void {
  const [first] = configDifferences;
  if (!first) return;
  const detail = configDifferences
    .map(({ key, confirmed, actual }) => `${key}: ${actual} at the node, ${confirmed} was confirmed`)
    .join("; ");
  const words =
    configDifferences.length === 1
      ? `${first.key.slice(0, 60).toWellFormed()} at the node is not what it confirmed`
      : `${configDifferences.length} values at the node are not what it confirmed`;
  findings.note("config", words, undefined, detail);
}

function noteQuarantine({ quarantine }: Signals, findings: Findings): void {
  const recent = quarantine.filter(({ lastAt }) => !findings.isPast(lastAt + quarantineSeconds));
  if (recent.length === 0) return;
  const detail = recent.map(({ reason, count }) => `${reason}: ${atLeast(count)}`).join("; ");
  findings.note("quarantine", "Messages of the last hour could not be used", undefined, detail);
}

function noteFailedFiles({ failedFiles }: Signals, findings: Findings): void {
  if (!failedFiles || failedFiles.count <= 0) return;
  const { count, since, reason } = failedFiles;
  const words = count === 1 ? "A file could not be extracted" : `${capitalized(atLeast(count))} files could not be extracted, the first`;
  if (count >= manyFailedFiles) findings.note("extraction", words, since, reason);
  else findings.noteBeside("extraction", words, since, reason);
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function noteAlarms({ alarms }: Signals, findings: Findings): void {
  if (alarms.length === 0) return;
  const inOrder = alarms.toSorted((a, b) => a.raisedAt - b.raisedAt);
  const names = [...new Set(inOrder.map(({ kind }) => alarmWords(kind)))];
  const first = inOrder[0]!;
  const words =
    alarms.length === 1 ? names[0]! : `${alarms.length} alarms: ${names.slice(0, 4).join(", ")}${names.length > 4 ? " …" : ""}; the first`;
  findings.note("alarm", capitalized(words), first.raisedAt);
}
