/** What an incident is about. `link`: the connection of one node; `outage`: of several nodes of a facility together. */
export const incidentKinds = ["outage", "link", "silent", "sensor", "alarm"] as const;
export type IncidentKind = (typeof incidentKinds)[number];

/** Alarms of something that meets every node of a facility within moments, such as a disturbance of the supply. */
export const sharedAlarmKinds: ReadonlySet<string> = new Set(["voltageSag"]);

/** Where the occurrence of a node belongs: occurrences of one cause that are near in time are one incident. */
export interface Cause {
  /** Such as `outage/12`, `link/10604` or `alarm/10604/overVoltage`. */
  key: string;
  kind: IncidentKind;
  /** Of an alarm; empty for others. */
  alarmKind: string;
  /** Where it is; undefined for nodes at no location. */
  facilityId: number | undefined;
}

/** A time in which a node has what asks for action. Epoch seconds. */
export interface Occurrence {
  cause: Cause;
  serial: number;
  beganAt: number;
  /** Undefined while it lasts. */
  endedAt: number | undefined;
  /** It goes on with the one before: a link that dropped often and is up now is no new loss. */
  isContinued?: boolean;
}

/** What is judged of a node and bears on incidents. */
export interface JudgedNode {
  serial: number;
  /** Undefined for a node at no location. */
  facilityId: number | undefined;
  /** Of its verdict: see `packages/alarms/src/verdict`. */
  evidence: readonly { kind: string; gravity: string; since: number | undefined }[];
}

const linkKinds: ReadonlySet<string> = new Set(["away", "refused", "unstable"]);

/**
 * The occurrences that a node has by its verdict's evidence, alarms excepted: they have rows of their own. What is paused or muted is no less an occurrence.
 * @param now epoch seconds; the begin of what has none
 * @returns undefined while nothing is known of the node: it has what it had
 */
export function occurrencesOf({ serial, facilityId, evidence }: JudgedNode, now: number): Occurrence[] | undefined {
  if (evidence.some(({ kind }) => kind === "unknown")) return undefined;
  const occurrences = new Map<string, Occurrence>();
  for (const { kind, gravity, since } of evidence) {
    // Who never connected has lost nothing.
    if (since === undefined && linkKinds.has(kind)) continue;
    const cause = gravity === "act" || gravity === "look" ? causeOfFinding(kind, serial, facilityId) : undefined;
    if (cause && !occurrences.has(cause.key))
      occurrences.set(cause.key, { cause, serial, beganAt: since ?? now, endedAt: undefined, isContinued: kind === "unstable" });
  }
  return [...occurrences.values()];
}

function causeOfFinding(kind: string, serial: number, facilityId: number | undefined): Cause | undefined {
  if (kind === "outage" && facilityId !== undefined) return { key: `outage/${facilityId}`, kind: "outage", alarmKind: "", facilityId };
  if (kind === "outage" || linkKinds.has(kind)) return { key: `link/${serial}`, kind: "link", alarmKind: "", facilityId };
  if (kind === "silent" || kind === "sensor") return { key: `${kind}/${serial}`, kind, alarmKind: "", facilityId };
  return undefined;
}

/** The cause of an alarm: the node and the kind of alarm, or the facility where all its nodes have it together. */
export function causeOfAlarm(alarmKind: string, serial: number, facilityId: number | undefined): Cause {
  const isShared = facilityId !== undefined && sharedAlarmKinds.has(alarmKind);
  return {
    key: isShared ? `alarm/facility ${facilityId}/${alarmKind}` : `alarm/${serial}/${alarmKind}`,
    kind: "alarm",
    alarmKind,
    facilityId,
  };
}
