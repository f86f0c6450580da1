import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { CalendarDate } from "../values/calendar-date.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** What is watched: scalars, 15-minute files (D) and one-second files (S). */
export const coverageKinds = ["scalars", "D", "S"] as const;
export type CoverageKind = (typeof coverageKinds)[number];

/** What became of data: `partly` is missing too, but for a part; `platform` could not come, because the platform was away. */
export const coverageStatuses = ["received", "late", "backfilled", "failed", "partly", "missing", "platform"] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

/**
 * A day of a node is one character: `.` nothing was expected, `w` whole, `l` whole, some late, `b` whole, some backfilled, `f` some failed,
 * `p` only the platform missed some, `1` to `9` the tenths of the day that are missing, rounded up, `M` all of it.
 */
export const coverageDayPattern = /^[.wlbfp1-9M]*$/;
export const longestCoverageDays = 31;
export const CoverageNode = z.object({
  serialNumber: z.string(),
  /** Which of `places` it is at; -1 for none any more. */
  place: z.int(),
  location: z.string(),
  /** A character for each day. */
  days: z.string(),
  /** Quarters of an hour that are missing and not the platform's. */
  missing: z.int(),
  /** When it was asked for files of these days again, while more may still come. */
  askedTimestamp: z.optional(EpochSeconds),
});
export type CoverageNode = z.infer<typeof CoverageNode>;

export const Coverage = z.object({
  /** `yyyy-mm-dd`; days are those of each node's place. */
  fromDay: z.string(),
  toDay: z.string(),
  places: z.array(z.object({ facilityId: z.int(), facility: z.string(), customer: z.string() })),
  /** Nodes that were expected to send, by serial number. */
  nodes: z.array(CoverageNode),
});
export type Coverage = z.infer<typeof Coverage>;

/** A time in which one status held. */
export const CoverageSpan = z.object({
  fromTimestamp: EpochSeconds,
  toTimestamp: EpochSeconds,
  status: z.enum(coverageStatuses),
  /** Files; null for scalars. */
  count: z.nullable(z.int()),
});
export type CoverageSpan = z.infer<typeof CoverageSpan>;

export const askOutcomes = ["waiting", "asked", "whole", "some", "none", "notConnected"] as const;

/** What was asked of a node again. */
export const FileAsk = z.object({
  id: z.int(),
  kind: z.enum(["D", "S"]),
  fromTimestamp: EpochSeconds,
  toTimestamp: EpochSeconds,
  askedBy: z.string(),
  askedTimestamp: EpochSeconds,
  fileCount: z.int(),
  cameCount: z.int(),
  /** `some` and `none`: no more came for a quarter of an hour. `notConnected`: it did not connect within an hour. */
  outcome: z.enum(askOutcomes),
});
export type FileAsk = z.infer<typeof FileAsk>;

export const NodeCoverage = z.object({
  serialNumber: z.string(),
  location: z.string(),
  timezone: z.string(),
  /** What is not whole and in time, oldest first. */
  spans: z.array(CoverageSpan),
  /** The newest first. */
  asks: z.array(FileAsk),
});
export type NodeCoverage = z.infer<typeof NodeCoverage>;

const query = z.strictObject({
  kind: z.enum(coverageKinds, `kind is one of ${coverageKinds.join(", ")}`),
  from: CalendarDate("from"),
  to: CalendarDate("to"),
});

export const getCoverage = endpoint("GET /api/coverage", {
  access: "staff",
  summary: "Nodes by days: what of one kind of data came, at most 31 days at a time",
  query,
  data: Coverage,
});

export const getNodeCoverage = endpoint("GET /api/nodes/{serial}/coverage", {
  access: "staff",
  summary: "What of a node's data is missing, failed, late or backfilled, to the quarter of an hour, and what was asked for again",
  params: z.object({ serial: SerialNumber }),
  query,
  data: NodeCoverage,
});

/** A node keeps its files for so long. */
export const nodeKeepsSeconds = 30 * 86_400;

const isMoment = "is a time in epoch seconds, from 1970 to 2100";
const AskedMoment = z.int(isMoment).check(z.gte(0, isMoment), z.lte(4_102_444_800, isMoment));

export const askForFiles = endpoint("POST /api/nodes/{serial}/coverage/requests", {
  access: "staff",
  summary: "Asks a node again for the files of a time that are missing or failed",
  changes: ["/coverage", "/nodes/{serial}/coverage"],
  params: z.object({ serial: SerialNumber }),
  body: z.strictObject({
    kind: z.enum(["D", "S"], "kind is D or S"),
    fromTimestamp: AskedMoment,
    toTimestamp: AskedMoment,
  }),
  data: FileAsk,
});
