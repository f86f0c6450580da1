import { connectionFindings } from "./connection-findings.ts";
import { dataFindings } from "./data-findings.ts";
import { createFindings, type Findings } from "./findings.ts";
import { momentWords, plainTimeSeconds } from "./moment-words.ts";
import type { Judgement, Signals, Verdict } from "./signals.ts";
import { gravityOf } from "./verdict-kinds.ts";

const ownConnection = new Set(["Node", "subNode"]);

/**
 * Turns all signals of a node into one verdict: its gravest finding, with all of them as evidence. Nothing is hidden behind another: who is away is
 * judged no less by its alarms. What follows from something else is no finding of its own: a node that is away sends no scalars.
 * @param now epoch seconds
 */
export function judgeNode(signals: Signals, now: number): Judgement {
  const findings = createFindings(signals.timezone, now);
  if (signals.status === "Decommissioned") noteRetired(signals, findings);
  else {
    const { awaySince } = signals.platform;
    const hasConnection = ownConnection.has(signals.type);
    if (hasConnection && awaySince !== undefined) findings.note("unknown", "Not known: the platform has not listened", awaySince);
    else if (hasConnection) connectionFindings(signals, findings);
    const isHeard = hasConnection && awaySince === undefined && signals.isConnected;
    dataFindings(signals, { findings, isHeard, isKnown: awaySince === undefined });
  }
  if (signals.nextStatus !== undefined && signals.nextStatus !== signals.status)
    findings.noteBeside("pending", `Its status becomes ${signals.nextStatus}.`);
  return { verdict: verdictOf(signals, findings), dueAt: findings.dueAt() };
}

function noteRetired({ isConnected, connectionChangedAt }: Signals, findings: Findings): void {
  findings.note("retired", "Decommissioned");
  if (isConnected) findings.noteBeside("retired", "It is connected all the same", connectionChangedAt);
}

function verdictOf(signals: Signals, findings: Findings): Verdict {
  const { platform } = signals;
  const found = findings.found();
  const evidence = [...found, ...findings.beside()];
  // While nothing is known of a node, what was known before is no verdict.
  const main = (platform.awaySince === undefined ? undefined : found.find(({ kind }) => kind === "unknown")) ?? found[0];
  if (!main) return { kind: "fine", gravity: "fine", sentence: "Nothing is wrong.", since: undefined, evidence };
  const { kind, gravity, sentence, since } = main;
  const pause = gravity === "note" ? undefined : pauseOf(signals, kind, findings);
  if (pause === undefined) return { kind, gravity, sentence, since, evidence };
  return { kind: "paused", gravity: gravityOf("paused"), sentence: `${pause}. ${sentence}`, since, evidence };
}

const connectionKinds: ReadonlySet<Verdict["kind"]> = new Set(["outage", "refused", "away", "unstable"]);

/** What a person has switched off: someone knows of the node, and red would ask no one. */
function pauseOf({ pauses, mutedUntil, timezone }: Signals, kind: Verdict["kind"], findings: Findings): string | undefined {
  if (pauses.monitoring) return "Not monitored";
  if (pauses.notices) return "Notices are paused";
  if (pauses.connectivity && connectionKinds.has(kind)) return "Notices of its connection are paused";
  if (mutedUntil === undefined || findings.isPast(mutedUntil)) return undefined;
  // Its words lose the date.
  findings.due(mutedUntil - plainTimeSeconds + 1);
  return `Muted until ${momentWords(mutedUntil, timezone, findings.now)}`;
}
