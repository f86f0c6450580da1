import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { Gravity } from "../values/gravity.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** What is wrong with a node, in the order of gravity: of several the first is its verdict. */
export const gravityByKind = {
  outage: "act",
  refused: "act",
  away: "act",
  silent: "act",
  sensor: "act",
  alarm: "act",
  unstable: "look",
  late: "look",
  partial: "look",
  meter: "look",
  files: "look",
  extraction: "look",
  quarantine: "look",
  clock: "look",
  config: "look",
  unknown: "note",
  paused: "note",
  quiet: "note",
  retired: "note",
  fine: "fine",
} as const satisfies Record<string, Gravity>;
export const verdictKinds = Object.keys(gravityByKind) as (keyof typeof gravityByKind)[];
export const VerdictKind = z.enum(verdictKinds);
export type VerdictKind = z.infer<typeof VerdictKind>;

/** What is wrong with a node, in a sentence that names moments in its location's time zone, and no customer or person. */
export const NodeVerdict = z.object({
  kind: VerdictKind,
  gravity: Gravity,
  sentence: z.string(),
  /** Where the sentence ends with a moment: that moment. */
  since: z.nullable(EpochSeconds),
});
export type NodeVerdict = z.infer<typeof NodeVerdict>;

/** One fact that speaks for a verdict. */
export const VerdictEvidence = z.object({
  kind: z.enum([...verdictKinds, "pending"]),
  gravity: Gravity,
  sentence: z.string(),
  since: z.nullable(EpochSeconds),
  /** Texts of nodes and reasons, such as values of its configuration; empty for none. */
  detail: z.string(),
});
export type VerdictEvidence = z.infer<typeof VerdictEvidence>;

/** A verdict that was in force for a while; one that did not last is left out. */
export const PastVerdict = z.object({
  kind: VerdictKind,
  gravity: Gravity,
  sentence: z.string(),
  beganAt: EpochSeconds,
  /** Null for the last one. */
  endedAt: z.nullable(EpochSeconds),
});
export type PastVerdict = z.infer<typeof PastVerdict>;

export const maxPastVerdicts = 200;

export const getNodeVerdict = endpoint("GET /api/nodes/{serial}/verdict", {
  access: "staff",
  summary: "What is wrong with a node, what speaks for it, and what was wrong before, newest first",
  params: z.object({ serial: SerialNumber }),
  data: z.object({
    /** Null until the node was judged for the first time. */
    verdict: z.nullable(NodeVerdict),
    /** All that is wrong with it, gravest first, and what explains it. */
    evidence: z.array(VerdictEvidence),
    history: z.array(PastVerdict),
  }),
});
