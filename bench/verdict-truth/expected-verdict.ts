import { verdictKinds, type VerdictKind } from "@busbar/alarms/verdict/verdict-kinds.ts";
import type { TruthEntry } from "@busbar/simulator/scenarios/truth-log.ts";
import { scalarSeconds } from "./staged-fleet.ts";

/** What a verdict can be compared with: `unclear` while a fault begins or ends. */
export type Expected = VerdictKind | "unclear";

/** Whether a node has what a verdict names; a fault that has just begun or ended cannot be seen for certain. */
type Answer = "yes" | "no" | "unclear";

const hour = 3_600;
/** The services run every minute of the simulated time, and nodes need a while to come back. */
const settleSeconds = 150;

/** Every entry of one node and its facility, in order of time. */
export function expectedVerdict(entries: readonly TruthEntry[], at: number): Expected {
  for (const kind of verdictKinds) {
    const answer = rules[kind]?.(entries, at) ?? "no";
    if (answer === "yes") return kind;
    if (answer === "unclear") return "unclear";
  }
  return "fine";
}

type Rule = (entries: readonly TruthEntry[], at: number) => Answer;

interface Seen {
  earliest?: number;
  seenAfter?: number;
  /** Of the fault's parameters. */
  least?: Record<string, number>;
}

/** While the fault lasts: seen for certain from `seenAfter` on, perhaps from `earliest` on. */
const lasts =
  (fault: string, { earliest = 0, seenAfter = settleSeconds, least = {} }: Seen = {}): Rule =>
  (entries, at) => {
    for (const entry of entries) {
      if (entry.fault !== fault || entry.at > at || !isAtLeast(entry.params, least)) continue;
      const age = at - entry.at;
      const end = entry.at + entry.durationS;
      if (at < end) {
        if (age >= seenAfter) return "yes";
        if (age >= earliest) return "unclear";
      } else if (at < end + settleSeconds) return "unclear";
    }
    return "no";
  };

const isAtLeast = (params: object, least: Record<string, number>) =>
  Object.entries(least).every(([name, value]) => Number((params as Record<string, unknown>)[name] ?? 1) >= value);

const anyOf =
  (...parts: Rule[]): Rule =>
  (entries, at) => {
    const answers = parts.map((part) => part(entries, at));
    return answers.find((answer) => answer !== "no") ?? "no";
  };

const countBetween = (entries: readonly TruthEntry[], from: number, to: number, isMeant: (entry: TruthEntry) => boolean): number =>
  entries.filter((entry) => entry.at > from && entry.at <= to && isMeant(entry)).length;

/** Between the fewest and the most of a count that are certain. */
const counted = (certain: number, possible: number, least: number): Answer =>
  certain >= least ? "yes" : possible >= least ? "unclear" : "no";

/** A number that no one sent is a gap, not a message. */
const isBadMessage = ({ fault, params }: TruthEntry): boolean =>
  fault === "badPayload" && (params as { kind: string }).kind !== "skippedSeq";

const isQuirk = (name: string) => (entries: readonly TruthEntry[]) =>
  entries.some(({ fault, params }) => fault === "quirk" && name in params);

/** What the simulator did, as the verdict words it. Kinds without a rule are no faults of a node. */
const rules: Partial<Record<VerdictKind, Rule>> = {
  outage: lasts("siteOutage"),
  // Nodes try again in their own time, and a refusal counts for 15 minutes.
  refused: (entries, at) => {
    const begun = entries.find(({ fault, at: start }) => fault === "wrongSecret" && start <= at);
    if (!begun) return "no";
    return at - begun.at >= settleSeconds && at - begun.at <= 840 ? "yes" : "unclear";
  },
  away: anyOf(lasts("linkOutage"), (entries) => (isQuirk("neverConnects")(entries) ? "yes" : "no")),
  silent: lasts("dropScalars", { earliest: hour - scalarSeconds, seenAfter: hour + settleSeconds + scalarSeconds, least: { share: 1 } }),
  sensor: lasts("sensorFault"),
  // Means of five minutes, that of the time before among them.
  alarm: lasts("overload", { seenAfter: 600 }),
  unstable: (entries, at) => {
    const isDrop = ({ fault }: TruthEntry) => fault === "linkOutage";
    const certain = countBetween(entries, at - hour + settleSeconds, at - settleSeconds, isDrop);
    return counted(certain, countBetween(entries, at - hour - settleSeconds, at, isDrop), 3);
  },
  late: anyOf(
    lasts("dropScalars", { seenAfter: 3 * scalarSeconds + settleSeconds, least: { share: 1 } }),
    // Scalars that are spoiled one after the other are missing too.
    (entries, at) => (countBetween(entries, at - 3 * scalarSeconds - settleSeconds, at, isBadMessage) >= 2 ? "unclear" : "no"),
  ),
  partial: lasts("partialScalars", { earliest: 900, seenAfter: 30 * scalarSeconds + settleSeconds }),
  meter: lasts("meterSilence", { earliest: 240, seenAfter: 300 + 2 * settleSeconds }),
  // A file is due with the end of its interval, and late one and a half later.
  files: lasts("heldFiles", { earliest: 900, seenAfter: 3.5 * 900 + settleSeconds }),
  extraction: (entries, at) => {
    const isCut = ({ fault, params }: TruthEntry) => fault === "fileTruncated" && (params as { file?: string }).file !== undefined;
    return counted(countBetween(entries, 0, at - 900 - settleSeconds, isCut), countBetween(entries, 0, at, isCut), 4);
  },
  quarantine: (entries, at) => {
    return counted(
      countBetween(entries, at - hour + settleSeconds, at - settleSeconds, isBadMessage),
      countBetween(entries, at - hour - settleSeconds, at, isBadMessage),
      1,
    );
  },
  // The median of 31 messages.
  clock: (entries, at) => {
    const answers = entries
      .filter(({ fault, at: start }) => fault === "clockOffset" && start <= at)
      .map(({ at: start, durationS }): Answer => {
        if (at < start + durationS) return at - start >= 1_200 ? "yes" : "unclear";
        return at < start + durationS + 1_200 ? "unclear" : "no";
      });
    return answers.find((answer) => answer !== "no") ?? "no";
  },
  config: lasts("configReset", { seenAfter: 2 * settleSeconds }),
};
