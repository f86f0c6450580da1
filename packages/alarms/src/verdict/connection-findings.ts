import { atLeast } from "./at-least.ts";
import type { Findings } from "./findings.ts";
import type { Counted, Signals } from "./signals.ts";

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
/** A link that ends so often in an hour is not one that ended. */
const manyDrops = 3;
/** A node whose tries are refused tries again within minutes. */
const refusalSeconds = 900;

const refusalWords = new Map([
  ["credentials", "a wrong secret"],
  ["revoked", "a secret that was revoked"],
  ["identifier", "a user name that is not its serial number"],
  ["connect-rate", "connecting too often"],
]);
/** Refusals that are the platform's doing. */
const platformRefusals = new Map([
  ["no-room", "the broker has no room"],
  ["credentials-unavailable", "its secret could not be checked"],
]);
const endWords = new Map([
  ["no-answer", "It was silent and gave no answer when asked"],
  ["restart", "It has not come back since the broker began anew"],
]);

/** The connection of a node that someone listens to. */
export function connectionFindings(signals: Signals, findings: Findings): void {
  const { isConnected, connectionChangedAt, drops, status } = signals;
  const lastHour = drops.filter((at) => at > findings.now - hourSeconds && at <= findings.now);
  const first = lastHour[0];
  if (first !== undefined) findings.due(first + hourSeconds);
  if (isConnected) {
    if (lastHour.length >= manyDrops)
      findings.note("unstable", `The link drops: ${lastHour.length} times in the last hour, connected`, connectionChangedAt);
  } else if (status !== "Deployed") noteQuiet(signals, findings);
  else noteAway(signals, lastHour.length, findings);
  const lastDay = drops.filter((at) => at > findings.now - daySeconds && at <= findings.now);
  if (lastDay[0] === undefined) return;
  findings.due(lastDay[0] + daySeconds);
  findings.noteBeside("unstable", `Connections that ended in the last day: ${atLeast(lastDay.length)}`);
}

function noteAway(signals: Signals, dropCount: number, findings: Findings): void {
  const { connectionChangedAt, parent, outage, endReason, platform } = signals;
  const { wentAt, backAt } = platform;
  // Who was away before it is away still.
  const isAwaited = wentAt !== undefined && connectionChangedAt !== undefined && connectionChangedAt >= wentAt;
  if (isAwaited && backAt !== undefined && !findings.isPast(backAt)) {
    findings.note("unknown", "Not known: the platform is back, and nodes are on their way back to it");
    return;
  }
  const refusal = refusalOf(signals, findings);
  const why = endWords.get(endReason ?? "") ?? "Its connection ended";
  if (refusal) findings.note("refused", `Refused for ${refusal.words}, away`, connectionChangedAt, detailOf(refusal));
  else if (connectionChangedAt === undefined) findings.note("away", "It has never connected");
  else if (parent && !parent.isConnected) findings.note("away", `Away with its parent node ${parent.serial}`, connectionChangedAt);
  else if (outage)
    findings.note(
      "outage",
      `Outage of the facility: ${outage.lostCount} of ${outage.nodeCount} nodes lost within two minutes, away`,
      connectionChangedAt,
    );
  else if (dropCount >= manyDrops) findings.note("away", `The link drops: ${dropCount} times in the last hour, away`, connectionChangedAt);
  else findings.note("away", `${why}, away`, connectionChangedAt);
  if (refusal || (connectionChangedAt !== undefined && dropCount >= manyDrops)) findings.noteBeside("away", why);
}

/** A node that is not in service may be away. */
function noteQuiet(signals: Signals, findings: Findings): void {
  const { status, connectionChangedAt } = signals;
  const refusal = refusalOf(signals, findings);
  const where = status === "" ? "Not deployed" : status;
  if (refusal) findings.note("quiet", `${where}: its tries to connect are refused for ${refusal.words}`, undefined, detailOf(refusal));
  else if (connectionChangedAt === undefined) findings.note("quiet", `${where}: it has never connected`);
  else findings.note("quiet", `${where}: not connected`, connectionChangedAt);
}

/** The newest refusal that still counts. */
function refusalOf({ refusals, connectionChangedAt }: Signals, findings: Findings): (Counted & { words: string }) | undefined {
  const recent = refusals.filter(({ lastAt }) => lastAt >= (connectionChangedAt ?? -Infinity) && !findings.isPast(lastAt + refusalSeconds));
  for (const { reason } of recent) {
    const words = platformRefusals.get(reason);
    if (words !== undefined) findings.noteBeside("refused", `Refused: ${words}`);
  }
  const newest = recent.filter(({ reason }) => !platformRefusals.has(reason)).toSorted((a, b) => b.lastAt - a.lastAt)[0];
  if (!newest) return undefined;
  const words = newest.reason.startsWith("will ") ? "a last will that is not its own" : refusalWords.get(newest.reason);
  return { ...newest, words: words ?? `the reason ${newest.reason.slice(0, 40).toWellFormed()}` };
}

const detailOf = ({ count, reason }: Counted): string => `${atLeast(count)} refused, ${reason}`;
