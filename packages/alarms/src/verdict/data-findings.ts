import { tolerableSkewSeconds, wrongClockWords } from "./clock-words.ts";
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
/** The reason of scalars of a clock that is ahead. */
const refusedForClock = "timestamp-in-future";

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
  const isClockWrong = isHeard && isRefusedForClock(signals, findings);
  if (isKnown) noteQuarantine(signals, findings, isClockWrong);
  noteFailedFiles(signals, findings, isClockWrong);
  noteAlarms(signals, findings);
}

/** The platform hears a node from its last connection on, and from when it was back itself. */
function heardSince({ connectionChangedAt, platform }: Signals): number {
  return Math.max(connectionChangedAt ?? -Infinity, platform.backAt ?? -Infinity);
}

/** A moment of a node's clock, which may be off by days, by ours. */
function byOurClock(at: number | undefined, { clockAheadSeconds = 0 }: Signals): number | undefined {
  return at === undefined || Math.abs(clockAheadSeconds) <= tolerableSkewSeconds ? at : at - clockAheadSeconds;
}

function noteScalars(signals: Signals, findings: Findings): void {
  const interval = Math.max(1, signals.scalarIntervalSeconds);
  const newest = byOurClock(signals.lastScalarAt, signals);
  const lastAt = newest === undefined ? undefined : Math.min(findings.now, newest);
  const heardAt = heardSince(signals);
  const since = Math.max(lastAt ?? -Infinity, heardAt);
  if (!Number.isFinite(since) || isRefusedForClock(signals, findings)) return;
  if (findings.isPast(since + Math.max(lateIntervals * interval, shortestLateSeconds))) {
    const words = lastAt === undefined || lastAt < heardAt ? "Connected without a scalar" : "No scalars";
    findings.note(findings.isPast(since + silentSeconds) ? "silent" : "late", words, since);
    return;
  }
  if (signals.type !== "Node") return;
  const isMeterSilent = noteMeter(signals, findings);
  notePart(signals, { interval, isMeterSilent }, findings);
}

/** Scalars of a clock that is ahead are refused, and come all the same: it is the clock that is wrong. */
function isRefusedForClock({ clockAheadSeconds = 0, quarantine, scalarIntervalSeconds }: Signals, findings: Findings): boolean {
  if (clockAheadSeconds <= tolerableSkewSeconds) return false;
  const patience = Math.max(lateIntervals * scalarIntervalSeconds, shortestLateSeconds);
  return quarantine.some(({ reason, lastAt }) => reason === refusedForClock && !findings.isPast(lastAt + patience));
}

function notePart(
  { oldestValueAt, lastScalarAt: newestAt, lastMeterAt }: Signals,
  { interval, isMeterSilent }: { interval: number; isMeterSilent: boolean },
  findings: Findings,
): void {
  if (oldestValueAt === undefined || newestAt === undefined) return;
  // Powers are the meter's: they are missing as long as it is silent.
  const wholeUntil = isMeterSilent && lastMeterAt !== undefined ? Math.min(newestAt, lastMeterAt) : newestAt;
  if (wholeUntil - oldestValueAt > Math.max(staleIntervals * interval, shortestStaleSeconds))
    findings.note("partial", "Scalars come without some of their values", oldestValueAt);
}

/** @returns whether it is silent */
function noteMeter(signals: Signals, findings: Findings): boolean {
  const lastMeterAt = byOurClock(signals.lastMeterAt, signals);
  if (lastMeterAt === undefined) return false;
  const since = Math.max(lastMeterAt, heardSince(signals));
  const isSilent = findings.isPast(since + Math.max(meterSeconds, lateIntervals * signals.scalarIntervalSeconds));
  if (isSilent) findings.note("meter", "The meter has sent nothing", since);
  return isSilent;
}

function noteFiles(signals: Signals, findings: Findings): void {
  const { status, dataIntervalSeconds, failedFiles } = signals;
  if (status !== "Deployed" || signals.type !== "Node" || isRefusedForClock(signals, findings)) return;
  const interval = Math.max(60, dataIntervalSeconds);
  const data = { name: `${Math.round(interval / 60)}-minute`, interval, lastAt: byOurClock(signals.lastDataFileAt, signals) };
  // One-second files count once they are read: those that fail are not missing.
  const areFailing = (failedFiles?.count ?? 0) >= manyFailedFiles;
  const seconds = { name: "one-second", interval: secondFileSeconds, lastAt: byOurClock(signals.lastSecondFileAt, signals) };
  for (const { name, interval: length, lastAt } of areFailing ? [data] : [data, seconds]) {
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

function noteClock(signals: Signals, findings: Findings): void {
  const words = wrongClockWords(signals.clockAheadSeconds);
  if (words === undefined) return;
  findings.note("clock", isRefusedForClock(signals, findings) ? `${words}: its scalars are refused` : words);
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

function noteQuarantine({ quarantine }: Signals, findings: Findings, isClockWrong: boolean): void {
  const others = isClockWrong ? quarantine.filter(({ reason }) => reason !== refusedForClock) : quarantine;
  const recent = others.filter(({ lastAt }) => !findings.isPast(lastAt + quarantineSeconds));
  if (recent.length === 0) return;
  const detail = recent.map(({ reason, count }) => `${reason}: ${atLeast(count)}`).join("; ");
  findings.note("quarantine", "Messages of the last hour could not be used", undefined, detail);
}

function noteFailedFiles({ failedFiles }: Signals, findings: Findings, isClockWrong: boolean): void {
  if (!failedFiles || failedFiles.count <= 0) return;
  const { count, since, reason } = failedFiles;
  const words = count === 1 ? "A file could not be extracted" : `${capitalized(atLeast(count))} files could not be extracted, the first`;
  if (count >= manyFailedFiles && !isClockWrong) findings.note("extraction", words, since, reason);
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
