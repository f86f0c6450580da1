import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** A time in which something was missing; `count` files, where files are counted. */
export const Gap = z.object({ fromTimestamp: EpochSeconds, toTimestamp: EpochSeconds, count: z.nullable(z.number()) });
export type Gap = z.infer<typeof Gap>;

/** What came over a week, of one kind: whole but for its gaps since it is known, unknown before. */
export const WeekLane = z.object({
  /** Null: nothing of it is known in this week. */
  knownFromTimestamp: z.nullable(EpochSeconds),
  gaps: z.array(Gap),
});
export type WeekLane = z.infer<typeof WeekLane>;

export const NodeWeek = z.object({
  fromTimestamp: EpochSeconds,
  toTimestamp: EpochSeconds,
  /** Gaps: the node was not connected. */
  connected: WeekLane,
  /** Gaps of more than `scalarGapSeconds`; null for a node that streams none. */
  scalars: z.nullable(WeekLane),
  scalarGapSeconds: z.number(),
  dataFiles: z.nullable(WeekLane),
  oneSecondFiles: z.nullable(WeekLane),
  /** Times in which the platform itself could not be reached. */
  platformAway: z.array(z.object({ fromTimestamp: EpochSeconds, toTimestamp: EpochSeconds })),
});
export type NodeWeek = z.infer<typeof NodeWeek>;

export const getNodeWeek = endpoint("GET /api/nodes/{serial}/week", {
  access: "staff",
  summary: "The last seven days of a node: when it was connected, sent scalars and files, and when not",
  params: z.object({ serial: SerialNumber }),
  data: NodeWeek,
});
