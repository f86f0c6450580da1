import type { Gravity, VerdictKind } from "./verdict-kinds.ts";

/** All that is known of a node and bears on whether something is wrong with it. Times are epoch seconds; undefined: there was none yet. */
export interface Signals {
  /** `Node`, `subNode`, or a type that has no connection of its own. */
  type: string;
  /** Of its location, as IANA names it; undefined or unknown: UTC. */
  timezone: string | undefined;
  status: string;
  /** A status that it is to get. */
  nextStatus: string | undefined;
  pauses: { monitoring: boolean; notices: boolean; connectivity: boolean };
  /** Until when it is muted, by itself or with its location or facility; may have passed. */
  mutedUntil: number | undefined;
  scalarIntervalSeconds: number;
  /** Of the data files. */
  dataIntervalSeconds: number;
  isConnected: boolean;
  /** Since when it is connected or not. */
  connectionChangedAt: number | undefined;
  /** Why it counts as disconnected, when it has not said so itself. */
  endReason: string | undefined;
  /** When connections ended within the last day, oldest first. */
  drops: readonly number[];
  /** Tries to connect that the broker refused, by reason. */
  refusals: readonly Counted[];
  /** Of a sub node: the node that it reports through. */
  parent: { serial: string; isConnected: boolean } | undefined;
  lastScalarAt: number | undefined;
  /** Of the values that make up the last scalar, when the oldest was reported. */
  oldestValueAt: number | undefined;
  lastMeterAt: number | undefined;
  /** How far its clock is ahead. */
  clockAheadSeconds: number | undefined;
  isSensorOk: boolean | undefined;
  /** Begin of the newest data file, and of the newest one-second file. */
  lastDataFileAt: number | undefined;
  lastSecondFileAt: number | undefined;
  /** Files of the last day whose extraction failed. */
  failedFiles: { count: number; since: number; reason: string } | undefined;
  /** Its messages that could not be used, by reason. */
  quarantine: readonly Counted[];
  alarms: readonly { kind: string; raisedAt: number }[];
  /** Values at the node that are not what it confirmed when they were last changed. */
  configDifferences: readonly { key: string; confirmed: string; actual: string }[];
  /** The outage of its facility that it is part of: see `facilityOutages`. */
  outage: FacilityOutage | undefined;
  platform: PlatformPresence;
}

export interface Counted {
  reason: string;
  count: number;
  lastAt: number;
}

export interface FacilityOutage {
  since: number;
  lostCount: number;
  nodeCount: number;
}

export interface PlatformPresence {
  /** Since when no one listens to the node: nothing is known of it. */
  awaySince: number | undefined;
  /** The last time in which no one listened: its begin, and its end with the while that nodes need to come back, which may lie ahead. */
  wentAt: number | undefined;
  backAt: number | undefined;
}

/** One fact that speaks for a verdict. */
export interface Evidence {
  kind: VerdictKind | "pending";
  gravity: Gravity;
  /** One sentence without a word of a customer or a person. */
  sentence: string;
  since: number | undefined;
  /** Texts of nodes and reasons, such as values of its configuration; empty for none. */
  detail: string;
}

export interface Verdict {
  kind: VerdictKind;
  gravity: Gravity;
  /** Whole and stable while nothing happens: it names moments, not ages. With `since`, it ends with that moment. */
  sentence: string;
  since: number | undefined;
  /** Gravest first; the verdict's own fact among it. */
  evidence: readonly Evidence[];
}

export interface Judgement {
  verdict: Verdict;
  /** When time alone may change it: it need not be judged earlier unless a signal changes. */
  dueAt: number | undefined;
}
